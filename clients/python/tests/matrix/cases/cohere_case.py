"""cohere."""

import cohere

ASKED = {
    "model": "command-a-03-2025",
    "messages": [{"role": "user", "content": "At what temperature does water boil?"}],
}


def client(matrix, *directions):
    return matrix.watch(cohere.ClientV2(api_key="x", base_url=matrix.url(*directions)))


def counts_chat(matrix):
    client(matrix).chat(**ASKED)


def counts_stream(matrix):
    list(client(matrix).chat_stream(**ASKED))


async def counts_async(matrix):
    made = matrix.watch(cohere.AsyncClientV2(api_key="x", base_url=matrix.url()))
    await made.chat(**ASKED)
