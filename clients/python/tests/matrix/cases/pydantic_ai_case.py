"""pydantic-ai."""

from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider


def search(query: str) -> str:
    """Looks something up."""
    return "A hundred degrees."


def openai(matrix):
    provider = OpenAIProvider(api_key="x", base_url=f"{matrix.url()}/v1")
    return Agent(OpenAIChatModel("gpt-4o-mini", provider=provider), name="physicist", tools=[search])


def anthropic(matrix):
    provider = AnthropicProvider(api_key="x", base_url=matrix.url())
    return Agent(AnthropicModel("claude-sonnet-4-5", provider=provider), name="physicist", tools=[search])


def counts_openai_init(matrix):
    openai(matrix).run_sync("At what temperature does water boil?")


def counts_anthropic_init(matrix):
    anthropic(matrix).run_sync("At what temperature does water boil?")


async def counts_stream_init(matrix):
    async with openai(matrix).run_stream("Boils?") as result:
        await result.get_output()


def told_init(matrix):
    openai(matrix).run_sync("At what temperature does water boil?")
    return "physicist"
