"""LangChain, with openai and anthropic underneath."""

from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_core.runnables import RunnableLambda
from langchain_openai import ChatOpenAI, OpenAIEmbeddings


def search(query: str) -> str:
    """Looks something up."""
    return "A hundred degrees."


def openai(matrix, *directions):
    return ChatOpenAI(api_key="x", base_url=f"{matrix.url(*directions)}/v1", model="gpt-4o-mini")


def anthropic(matrix, *directions):
    return ChatAnthropic(api_key="x", base_url=matrix.url(*directions), model="claude-sonnet-4-5")


def counts_openai_init(matrix):
    model = openai(matrix)
    model.invoke("Hello?")
    list(model.stream("Hello?", stream_usage=True))


def counts_anthropic_init(matrix):
    model = anthropic(matrix)
    model.invoke("Hello?")
    list(model.stream("Hello?"))


async def counts_async_init(matrix):
    await openai(matrix).ainvoke("Hello?")


def counts_batch_init(matrix):
    openai(matrix).batch(["Hello?", "Who?", "Where?"])


def counts_embeddings_init(matrix):
    OpenAIEmbeddings(
        api_key="x", base_url=f"{matrix.url()}/v1", model="text-embedding-3-small", check_embedding_ctx_length=False
    ).embed_query("Water")


def told_agent_init(matrix):
    agent = create_agent(openai(matrix), tools=[search], name="physicist")
    agent.invoke({"messages": [{"role": "user", "content": "At what temperature does water boil?"}]})
    return "physicist"


def told_chain_init(matrix):
    chain = RunnableLambda(lambda text: text) | openai(matrix)
    chain.invoke("Hello?", config={"metadata": {"agent": "support/triage"}})
    return "support/triage"
