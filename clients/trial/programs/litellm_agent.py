import litellm

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
    messages = [{"role": "user", "content": question}]
    while True:
        response = litellm.completion(model="openai/gpt-4o-mini", messages=messages, tools=TOOLS)
        message = response.choices[0].message
        if not message.tool_calls:
            return message.content
        messages.append(message)
        for call in message.tool_calls:
            messages.append({"role": "tool", "tool_call_id": call.id, "content": "Nothing was found."})


print(answer("At what temperature does water boil?"))
