from anthropic import Anthropic

TOOLS = [
    {
        "name": "search",
        "description": "Looks something up.",
        "input_schema": {"type": "object", "properties": {"query": {"type": "string"}}},
    }
]


def answer(question: str) -> str:
    client = Anthropic()
    messages = [{"role": "user", "content": question}]
    while True:
        message = client.messages.create(model="claude-haiku-4-5", max_tokens=500, messages=messages, tools=TOOLS)
        calls = [block for block in message.content if block.type == "tool_use"]
        if not calls:
            return message.content[0].text
        messages.append({"role": "assistant", "content": message.content})
        results = [{"type": "tool_result", "tool_use_id": call.id, "content": "Nothing was found."} for call in calls]
        messages.append({"role": "user", "content": results})


print(answer("At what temperature does water boil?"))
