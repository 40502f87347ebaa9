"""mistralai."""

try:
    from mistralai.client import Mistral
except ImportError:
    from mistralai import Mistral

ASKED = {
    "model": "mistral-large-latest",
    "messages": [{"role": "user", "content": "At what temperature does water boil?"}],
}
TOOL = {"type": "function", "function": {"name": "search", "parameters": {"type": "object", "properties": {}}}}


def client(matrix, *directions):
    return matrix.watch(Mistral(api_key="x", server_url=matrix.url(*directions)))


def counts_chat(matrix):
    client(matrix).chat.complete(**ASKED)


def counts_stream(matrix):
    list(client(matrix).chat.stream(**ASKED))


def counts_tools(matrix):
    client(matrix).chat.complete(**ASKED, tools=[TOOL])


async def counts_async(matrix):
    mistral = client(matrix)
    await mistral.chat.complete_async(**ASKED)
    async for _ in await mistral.chat.stream_async(**ASKED):
        pass


def counts_fail(matrix):
    try:
        client(matrix, "fail=400").chat.complete(**ASKED)
    except Exception as error:
        assert "as directed" in str(error)
    else:
        raise AssertionError("no error")


def ends_stream(matrix):
    yield from client(matrix, "slow=50", "words=120").chat.stream(**ASKED)


async def ends_stream_async(matrix):
    async for piece in await client(matrix, "slow=50", "words=120").chat.stream_async(**ASKED):
        yield piece
