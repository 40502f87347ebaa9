from langchain.agents import create_agent


def search(query: str) -> str:
    """Looks something up."""
    return "Nothing was found."


agent = create_agent("openai:gpt-4o-mini", tools=[search], name="physicist")
asked = {"messages": [{"role": "user", "content": "At what temperature does water boil?"}]}
result = agent.invoke(asked, config={"recursion_limit": 100})
print(result["messages"][-1].content)
