"""google-genai."""

from google import genai
from google.genai import types

ASKED = {"model": "gemini-2.5-flash", "contents": "At what temperature does water boil?"}
TOOL = types.Tool(function_declarations=[types.FunctionDeclaration(name="search", parameters={"type": "OBJECT"})])


KEPT = []
"""A client that nobody holds closes its connections."""


def client(matrix, *directions):
    options = types.HttpOptions(base_url=matrix.url(*directions))
    KEPT.append(matrix.watch(genai.Client(api_key="x", http_options=options)))
    return KEPT[-1]


def counts_content(matrix):
    client(matrix).models.generate_content(**ASKED)


def counts_stream(matrix):
    list(client(matrix).models.generate_content_stream(**ASKED))


def counts_tools(matrix):
    config = types.GenerateContentConfig(
        tools=[TOOL], automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True)
    )
    client(matrix).models.generate_content(**ASKED, config=config)


async def counts_async(matrix):
    found = client(matrix)
    await found.aio.models.generate_content(**ASKED)
    async for _ in await found.aio.models.generate_content_stream(**ASKED):
        pass


def counts_fail(matrix):
    try:
        client(matrix, "fail=400").models.generate_content(**ASKED)
    except Exception as error:
        assert "as directed" in str(error)
    else:
        raise AssertionError("no error")


def counts_abort(matrix):
    stream = client(matrix, "slow=20", "words=60").models.generate_content_stream(**ASKED)
    for number, _ in enumerate(stream):
        if number == 5:
            stream.close()
            break


def ends_stream(matrix):
    yield from client(matrix, "slow=50", "words=120").models.generate_content_stream(**ASKED)


async def ends_stream_async(matrix):
    found = client(matrix, "slow=50", "words=120")
    async for piece in await found.aio.models.generate_content_stream(**ASKED):
        yield piece
