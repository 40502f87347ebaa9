"""
Every library in its two newest majors against the fake providers:

    python tests/matrix/run.py [--only openai] [--cache DIR]

Makes a virtual environment for each in the cache folder (outside of the tree), puts the library and this package into it, and
starts `test/fake-provider/serve.ts`. Ends with 1 where something is wrong, with 2 where a library
cannot be installed.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = HERE.parents[1]
ROOT = PACKAGE.parents[1]

NOT_INSTALLED = 2
BOTH = ("init", "wrap")
MATRIX = {
    "openai-3": ("openai_case", BOTH, ["openai>=3,<4"]),
    "openai-2": ("openai_case", BOTH, ["openai>=2,<3"]),
    "anthropic-2": ("anthropic_case", BOTH, ["anthropic>=2,<3"]),
    "anthropic-1": ("anthropic_case", BOTH, ["anthropic>=1,<2"]),
    "google-genai-3": ("genai_case", BOTH, ["google-genai>=3,<4"]),
    "google-genai-2": ("genai_case", BOTH, ["google-genai>=2,<3"]),
    "mistralai-3": ("mistral_case", BOTH, ["mistralai>=3,<4"]),
    "mistralai-2": ("mistral_case", BOTH, ["mistralai>=2,<3"]),
    "boto3-1": ("bedrock_case", BOTH, ["boto3"]),
    "cohere-7": ("cohere_case", BOTH, ["cohere>=7,<8"]),
    "cohere-6": ("cohere_case", BOTH, ["cohere>=6,<7"]),
    "http": ("http_case", BOTH, ["requests", "aiohttp", "httpx"]),
    "langchain-1": ("langchain_case", ("init",), ["langchain", "langchain-openai", "langchain-anthropic"]),
    "litellm-1": ("litellm_case", ("init",), ["litellm"]),
    "llama-index": ("llama_index_case", ("init",), ["llama-index-llms-openai"]),
    "openai-agents": ("agents_case", ("init",), ["openai-agents"]),
    "pydantic-ai-2": ("pydantic_ai_case", ("init",), ["pydantic-ai-slim[openai,anthropic]>=2,<3"]),
    "pydantic-ai-1": ("pydantic_ai_case", ("init",), ["pydantic-ai-slim[openai,anthropic]>=1,<2"]),
}
"""Case, ways of connecting, what is installed. Of boto3 there is one major."""


def python_of(cache: Path, name: str, packages: list[str]) -> Path:
    """The interpreter of the environment, made where it is not there yet."""
    folder = cache / f"{name}-{sys.version_info.major}.{sys.version_info.minor}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not (folder / "done").exists():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
        (folder / "done").write_text("")
    return python


@contextmanager
def fake_providers() -> Iterator[str]:
    """The address of the fake providers while they run."""
    node = ROOT / "node_modules" / ".bin" / "node"
    command = [str(node) if node.exists() else "node", str(ROOT / "test/fake-provider/serve.ts")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        try:
            yield found[0]
        finally:
            process.terminate()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", default=[], help="names that begin so")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "zaehlwerk-matrix")
    parser.add_argument("--providers", help="address of fake providers that run already")
    parser.add_argument("--names", action="store_true", help="only print what there is")
    parser.add_argument("--python", metavar="NAME", help="only make its environment, and print the interpreter")
    given = parser.parse_args()
    if given.names:
        print("\n".join(MATRIX))
        return 0
    if given.python:
        print(made(given.python, given))
        return 0
    chosen = [name for name in MATRIX if not given.only or any(name.startswith(each) for each in given.only)]
    wrong = [name for name in chosen if not passes(name, given)]
    print(
        f"{len(chosen) - len(wrong)} of {len(chosen)} as they should be" + "".join(f"\n  not {name}" for name in wrong)
    )
    return 1 if wrong else 0


def made(name: str, given: argparse.Namespace) -> Path:
    try:
        return python_of(given.cache, name, MATRIX[name][2])
    except subprocess.CalledProcessError:
        sys.exit(NOT_INSTALLED)


def passes(name: str, given: argparse.Namespace) -> bool:
    case, modes, _ = MATRIX[name]
    python = made(name, given)
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE / "src")}
    good = True
    for mode in modes:
        if given.providers:
            code = drive(python, case, mode, given.providers, environment)
        else:
            with fake_providers() as providers:
                code = drive(python, case, mode, providers, environment)
        print(f"{name} {mode}: {'ok' if code == 0 else 'WRONG'}", flush=True)
        good = good and code == 0
    return good


def drive(python: Path, case: str, mode: str, providers: str, environment: dict[str, str]) -> int:
    command = [python, str(HERE / "driver.py"), case, mode, providers]
    return subprocess.run(command, env=environment, check=False, timeout=900).returncode


if __name__ == "__main__":
    sys.exit(main())
