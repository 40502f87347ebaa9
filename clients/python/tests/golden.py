"""The files that both packages hold themselves to."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

FOLDER = Path(os.environ.get("ZW_GOLDEN") or Path(__file__).parents[2] / "golden")


def golden(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def exchanges() -> list[tuple[str, Any]]:
    """Name and content of each golden exchange."""
    files = [file for file in sorted(FOLDER.glob("*.json")) if file.name not in ("ids.json", "fingerprints.json")]
    return [(f"{file.stem}: {each['name']}", each) for file in files for each in golden(file.name)]
