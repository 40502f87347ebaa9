import os

from mistralai.client import Mistral

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "search",
            "description": "Looks something up.",
            "parameters": {"type": "object", "properties": {"query": {"type": "string"}}},
        },
    }
]


def answer(question: str) -> str:
    client = Mistral(api_key=os.environ["MISTRAL_API_KEY"], server_url=os.environ["MISTRAL_URL"])
    messages = [{"role": "user", "content": question}]
    while True:
        response = client.chat.complete(model="mistral-small-latest", messages=messages, tools=TOOLS)
        message = response.choices[0].message
        if not message.tool_calls:
            return message.content
        messages.append(message)
        for call in message.tool_calls:
            messages.append(
                {"role": "tool", "name": "search", "tool_call_id": call.id, "content": "Nothing was found."}
            )


print(answer("At what temperature does water boil?"))
