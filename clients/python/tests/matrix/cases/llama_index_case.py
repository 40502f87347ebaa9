"""LlamaIndex."""

from llama_index.llms.openai import OpenAI


def openai(matrix):
    return OpenAI(model="gpt-4o-mini", api_key="x", api_base=f"{matrix.url()}/v1")


def counts_complete_init(matrix):
    openai(matrix).complete("At what temperature does water boil?")


def counts_stream_init(matrix):
    list(openai(matrix).stream_complete("At what temperature does water boil?"))
    assert matrix.says_usage()


async def counts_async_init(matrix):
    await openai(matrix).acomplete("At what temperature does water boil?")
