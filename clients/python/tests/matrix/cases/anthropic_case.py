"""anthropic."""

from anthropic import Anthropic, AsyncAnthropic

ASKED = {
    "model": "claude-sonnet-4-5",
    "max_tokens": 500,
    "messages": [{"role": "user", "content": "At what temperature does water boil?"}],
}
TOOL = {"name": "search", "description": "x", "input_schema": {"type": "object", "properties": {}}}


def client(matrix, *directions):
    return matrix.watch(Anthropic(api_key="x", base_url=matrix.url(*directions)))


def async_client(matrix, *directions):
    return matrix.watch(AsyncAnthropic(api_key="x", base_url=matrix.url(*directions)))


def counts_message(matrix):
    client(matrix).messages.create(**ASKED)


def counts_stream(matrix):
    list(client(matrix).messages.create(**ASKED, stream=True))


def counts_helper(matrix):
    with client(matrix).messages.stream(**ASKED) as stream:
        assert "".join(stream.text_stream)


async def counts_async(matrix):
    anthropic = async_client(matrix)
    await anthropic.messages.create(**ASKED)
    async for _ in await anthropic.messages.create(**ASKED, stream=True):
        pass


def counts_tools(matrix):
    client(matrix).messages.create(**ASKED, tools=[TOOL])


def counts_fail_then_answer(matrix):
    client(matrix, "fail=429x1").messages.create(**ASKED)


def counts_abort(matrix):
    with client(matrix, "slow=20", "words=60").messages.stream(**ASKED) as stream:
        for number, _ in enumerate(stream):
            if number == 8:
                break


def ends_stream(matrix):
    yield from client(matrix, "slow=50", "words=120").messages.create(**ASKED, stream=True)


async def ends_stream_async(matrix):
    async for piece in await async_client(matrix, "slow=50", "words=120").messages.create(**ASKED, stream=True):
        yield piece
