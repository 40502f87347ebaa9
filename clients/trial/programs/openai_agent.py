import json

from openai import OpenAI

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
    client = OpenAI()
    messages = [{"role": "user", "content": question}]
    while True:
        response = client.chat.completions.create(model="gpt-4o-mini", messages=messages, tools=TOOLS)
        message = response.choices[0].message
        if not message.tool_calls:
            return message.content
        messages.append(message)
        for call in message.tool_calls:
            result = json.dumps({"found": []})
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


print(answer("At what temperature does water boil?"))
