"""LiteLLM."""

import litellm

ASKED = {"messages": [{"role": "user", "content": "At what temperature does water boil?"}]}


def openai(matrix, *directions):
    return {"model": "openai/gpt-4o-mini", "api_key": "x", "api_base": f"{matrix.url(*directions)}/v1", **ASKED}


def anthropic(matrix, *directions):
    return {"model": "anthropic/claude-sonnet-4-5", "api_key": "x", "api_base": matrix.url(*directions), **ASKED}


def counts_openai_init(matrix):
    litellm.completion(**openai(matrix))


def counts_openai_stream_init(matrix):
    list(litellm.completion(**openai(matrix), stream=True, stream_options={"include_usage": True}))


def counts_openai_stream_without_usage_init(matrix):
    list(litellm.completion(**openai(matrix), stream=True))
    assert matrix.says_usage()


async def counts_openai_async_stream_without_usage_init(matrix):
    async for _ in await litellm.acompletion(**openai(matrix), stream=True):
        pass
    assert matrix.says_usage()


async def counts_openai_async_init(matrix):
    await litellm.acompletion(**openai(matrix))


def counts_anthropic_init(matrix):
    litellm.completion(**anthropic(matrix))
    list(litellm.completion(**anthropic(matrix), stream=True))


async def counts_anthropic_async_init(matrix):
    await litellm.acompletion(**anthropic(matrix))
