"""boto3, Bedrock."""

import json

import boto3

MODEL = "anthropic.claude-3-5-sonnet-20241022-v2:0"
ASKED = {
    "modelId": MODEL,
    "messages": [{"role": "user", "content": [{"text": "At what temperature does water boil?"}]}],
}
INVOKED = {
    "modelId": MODEL,
    "body": json.dumps(
        {
            "anthropic_version": "bedrock-2023-05-31",
            "max_tokens": 500,
            "messages": [{"role": "user", "content": "At what temperature does water boil?"}],
        }
    ),
}
TOOLS = {"tools": [{"toolSpec": {"name": "search", "inputSchema": {"json": {"type": "object"}}}}]}


def client(matrix, *directions):
    made = boto3.client(
        "bedrock-runtime",
        region_name="us-east-1",
        endpoint_url=matrix.url(*directions),
        aws_access_key_id="x",
        aws_secret_access_key="x",
    )
    return matrix.watch(made)


def counts_converse(matrix):
    client(matrix).converse(**ASKED)


def counts_converse_stream(matrix):
    list(client(matrix).converse_stream(**ASKED)["stream"])


def counts_tools(matrix):
    client(matrix).converse(**ASKED, toolConfig=TOOLS)


def counts_invoke(matrix):
    assert json.loads(client(matrix).invoke_model(**INVOKED)["body"].read())["content"]


def counts_invoke_stream(matrix):
    list(client(matrix).invoke_model_with_response_stream(**INVOKED)["body"])


def counts_fail(matrix):
    try:
        client(matrix, "fail=400").converse(**ASKED)
    except Exception as error:
        assert "as directed" in str(error)
    else:
        raise AssertionError("no error")


def ends_converse(matrix):
    yield from client(matrix, "slow=50", "words=120").converse_stream(**ASKED)["stream"]
