"""openai."""

from openai import AsyncOpenAI, OpenAI

ASKED = {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "At what temperature does water boil?"}]}
TOOL = {"type": "function", "function": {"name": "search", "parameters": {"type": "object", "properties": {}}}}
USAGE = {"stream": True, "stream_options": {"include_usage": True}}


def client(matrix, *directions):
    return matrix.watch(OpenAI(api_key="x", base_url=f"{matrix.url(*directions)}/v1"))


def async_client(matrix, *directions):
    return matrix.watch(AsyncOpenAI(api_key="x", base_url=f"{matrix.url(*directions)}/v1"))


def counts_chat(matrix):
    client(matrix).chat.completions.create(**ASKED)


def counts_stream(matrix):
    pieces = list(client(matrix).chat.completions.create(**ASKED, **USAGE))
    assert pieces[-1].usage is not None


def counts_stream_without_usage(matrix):
    pieces = list(client(matrix).chat.completions.create(**ASKED, stream=True))
    assert all(piece.choices and piece.usage is None for piece in pieces)
    assert matrix.says_usage()


async def counts_async_without_usage(matrix):
    async for piece in await async_client(matrix).chat.completions.create(**ASKED, stream=True):
        assert piece.choices and piece.usage is None
    assert matrix.says_usage()


async def counts_async(matrix):
    openai = async_client(matrix)
    await openai.chat.completions.create(**ASKED)
    async for _ in await openai.chat.completions.create(**ASKED, **USAGE):
        pass


def counts_tools(matrix):
    client(matrix).chat.completions.create(**ASKED, tools=[TOOL])


def counts_responses(matrix):
    openai = client(matrix)
    openai.responses.create(model="gpt-4o-mini", input="Hello?")
    for _ in openai.responses.create(model="gpt-4o-mini", input="Hello?", stream=True):
        pass


def counts_embeddings(matrix):
    client(matrix).embeddings.create(model="text-embedding-3-small", input="Water")


def counts_raw(matrix):
    client(matrix).chat.completions.with_raw_response.create(**ASKED).parse()


def counts_copy(matrix):
    client(matrix).with_options(timeout=20).chat.completions.create(**ASKED)


def counts_fail_then_answer(matrix):
    client(matrix, "fail=429x1").chat.completions.create(**ASKED)


def counts_fail(matrix):
    try:
        client(matrix, "fail=400").chat.completions.create(**ASKED)
    except Exception as error:
        assert "as directed" in str(error)
    else:
        raise AssertionError("no error")


def counts_abort(matrix):
    stream = client(matrix, "slow=20", "words=60").chat.completions.create(**ASKED, stream=True)
    for number, _ in enumerate(stream):
        if number == 5:
            stream.close()
            break


def ends_chat(matrix):
    yield from client(matrix, "slow=50", "words=120").chat.completions.create(**ASKED, stream=True)


async def ends_chat_async(matrix):
    async for piece in await async_client(matrix, "slow=50", "words=120").chat.completions.create(**ASKED, stream=True):
        yield piece


def ends_responses(matrix):
    yield from client(matrix, "slow=50", "words=120").responses.create(model="gpt-4o-mini", input="x", stream=True)
