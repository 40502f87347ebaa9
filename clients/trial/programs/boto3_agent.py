import boto3

MODEL = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0"
SCHEMA = {"json": {"type": "object", "properties": {"query": {"type": "string"}}}}
TOOLS = {"tools": [{"toolSpec": {"name": "search", "description": "Looks something up.", "inputSchema": SCHEMA}}]}


def answer(question: str) -> str:
    client = boto3.client("bedrock-runtime")
    messages = [{"role": "user", "content": [{"text": question}]}]
    while True:
        message = client.converse(modelId=MODEL, messages=messages, toolConfig=TOOLS)["output"]["message"]
        calls = [block["toolUse"] for block in message["content"] if "toolUse" in block]
        if not calls:
            return message["content"][0]["text"]
        messages.append(message)
        nothing = [{"text": "Nothing was found."}]
        results = [{"toolResult": {"toolUseId": call["toolUseId"], "content": nothing}} for call in calls]
        messages.append({"role": "user", "content": results})


print(answer("At what temperature does water boil?"))
