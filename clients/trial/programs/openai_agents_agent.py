from agents import Agent, Runner, function_tool


@function_tool
def search(query: str) -> str:
    """Looks something up."""
    return "Nothing was found."


agent = Agent(name="physicist", model="gpt-4o-mini", tools=[search])
result = Runner.run_sync(agent, "At what temperature does water boil?", max_turns=40)
print(result.final_output)
