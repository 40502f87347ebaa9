from pydantic_ai import Agent

agent = Agent("openai:gpt-4o-mini", name="physicist")


@agent.tool_plain
def search(query: str) -> str:
    """Looks something up."""
    return "Nothing was found."


print(agent.run_sync("At what temperature does water boil?").output)
