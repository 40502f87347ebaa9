"""OpenAI Agents."""

from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool
from openai import AsyncOpenAI


@function_tool
def search(query: str) -> str:
    """Looks something up."""
    return "A hundred degrees."


def agent(matrix, kind):
    client = AsyncOpenAI(api_key="x", base_url=f"{matrix.url()}/v1")
    return Agent(name="Physicist", model=kind(model="gpt-4o-mini", openai_client=client), tools=[search])


async def counts_chat_init(matrix):
    await Runner.run(agent(matrix, OpenAIChatCompletionsModel), "At what temperature does water boil?")


async def counts_responses_init(matrix):
    await Runner.run(agent(matrix, OpenAIResponsesModel), "At what temperature does water boil?")


async def counts_stream_init(matrix):
    async for _ in Runner.run_streamed(agent(matrix, OpenAIResponsesModel), "Boils?").stream_events():
        pass


async def told_init(matrix):
    await Runner.run(agent(matrix, OpenAIChatCompletionsModel), "At what temperature does water boil?")
    return "Physicist"
