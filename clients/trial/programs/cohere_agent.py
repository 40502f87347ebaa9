import cohere

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
    client = cohere.ClientV2()
    messages = [{"role": "user", "content": question}]
    while True:
        message = client.chat(model="command-a-03-2025", messages=messages, tools=TOOLS).message
        if not message.tool_calls:
            return message.content[0].text
        messages.append({"role": "assistant", "tool_calls": message.tool_calls})
        for call in message.tool_calls:
            messages.append({"role": "tool", "tool_call_id": call.id, "content": "Nothing was found."})


print(answer("At what temperature does water boil?"))
