"""
An official library of Python as a program has it, with nothing changed but its base URL: `python-clients.py <library> <address>`. Each line of the input
asks for `json`, `stream` or `tool`; each line of the output is a piece of the answer, an error, or the end.
"""

import json
import sys
from typing import Any

ASKED = "How hot is boiling water?"
SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}}


def openai(url: str) -> dict[str, Any]:
    from openai import OpenAI

    client = OpenAI(api_key="k", base_url=f"{url}/v1")
    tool = {"type": "function", "function": {"name": "search", "parameters": SCHEMA}}

    def create(**more: Any) -> Any:
        return client.chat.completions.create(model="gpt-5.1", messages=[{"role": "user", "content": ASKED}], **more)

    return {"json": create, "stream": lambda: create(stream=True), "tool": lambda: create(tools=[tool])}


def responses(url: str) -> dict[str, Any]:
    from openai import OpenAI

    client = OpenAI(api_key="k", base_url=f"{url}/v1")
    tool = {"type": "function", "name": "search", "parameters": SCHEMA}

    def create(**more: Any) -> Any:
        return client.responses.create(model="gpt-5.1", input=ASKED, **more)

    return {"json": create, "stream": lambda: create(stream=True), "tool": lambda: create(tools=[tool])}


def anthropic(url: str) -> dict[str, Any]:
    from anthropic import Anthropic

    client = Anthropic(api_key="k", base_url=url)
    tool = {"name": "search", "input_schema": SCHEMA}

    def create(**more: Any) -> Any:
        asked = [{"role": "user", "content": ASKED}]
        return client.messages.create(model="claude-opus-4-8", max_tokens=50, messages=asked, **more)

    return {"json": create, "stream": lambda: create(stream=True), "tool": lambda: create(tools=[tool])}


def genai(url: str) -> dict[str, Any]:
    from google import genai
    from google.genai import types

    client = genai.Client(api_key="k", http_options=types.HttpOptions(base_url=url))
    asked = {"model": "gemini-3-pro", "contents": ASKED}
    search = types.FunctionDeclaration(name="search", parameters={"type": "OBJECT"})
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[search])],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    return {
        "json": lambda: client.models.generate_content(**asked),
        "stream": lambda: client.models.generate_content_stream(**asked),
        "tool": lambda: client.models.generate_content(**asked, config=config),
    }


def tell(said: dict[str, Any]) -> None:
    print(json.dumps(said), flush=True)


def main() -> None:
    library, url = sys.argv[1:]
    programs = {"openai": openai, "responses": responses, "anthropic": anthropic, "genai": genai}[library](url)
    for line in sys.stdin:
        asked = line.strip()
        try:
            answer = programs[asked]()
            for piece in answer if asked == "stream" else [answer]:
                tell({"piece": piece.model_dump(mode="json", exclude_none=True, warnings=False)})
            tell({"end": True})
        except Exception as error:
            tell({"error": f"{type(error).__name__}: {error}"})


main()
