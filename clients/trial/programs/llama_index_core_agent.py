import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai import OpenAI


def search(query: str) -> str:
    """Looks something up."""
    return "Nothing was found."


async def answer(question: str) -> str:
    agent = FunctionAgent(tools=[search], llm=OpenAI(model="gpt-4o-mini"))
    return str(await agent.run(question, max_iterations=40))


print(asyncio.run(answer("At what temperature does water boil?")))
