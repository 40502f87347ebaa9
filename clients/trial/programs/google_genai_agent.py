from google import genai
from google.genai import types

SEARCH = types.FunctionDeclaration(
    name="search",
    description="Looks something up.",
    parameters_json_schema={"type": "object", "properties": {"query": {"type": "string"}}},
)


def answer(question: str) -> str:
    client = genai.Client()
    config = types.GenerateContentConfig(tools=[types.Tool(function_declarations=[SEARCH])])
    contents = [types.Content(role="user", parts=[types.Part(text=question)])]
    while True:
        response = client.models.generate_content(model="gemini-2.5-flash", contents=contents, config=config)
        if not response.function_calls:
            return response.text
        contents.append(response.candidates[0].content)
        parts = [
            types.Part.from_function_response(name=call.name, response={"output": "Nothing was found."})
            for call in response.function_calls
        ]
        contents.append(types.Content(role="user", parts=parts))


print(answer("At what temperature does water boil?"))
