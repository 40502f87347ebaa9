"""Addresses at providers where no model answers for money."""

from __future__ import annotations

import re

_STORED = re.compile(r"/chat/completions/[^/]+$")

_MANAGEMENT = [
    re.compile(pattern)
    for pattern in (
        r"/(assistants|batches|connectors|containers|evals|files|fine[-_]?tun(ing|es)|moderations|organization|skills)(/|$)",
        r"/(uploads|vector_stores|cachedContents|corpora|tunedModels|fileSearchStores|client_secrets|datasets)(/|$)",
        r"/(agents|environments|keys|libraries|organizations|voices)(/|$)",
        r"/(batch|jobs)/jobs(/|$)",
        r"/realtime/\w+$",
        r"/models(/[^:/]*)?$",
        r"/responses/(input_tokens|[^/]+/input_items)$",
        r"/threads(/[^/]+)?(/messages(/[^/]+)?)?$",
        r"/conversations(/[^/]+)?(/items(/[^/]+)?)?$",
        r"/(de)?tokenize(-text)?$",
        r"/count[-_]tokens$",
        r"(?i:(:|%3A)(countTokens|computeTokens|batchGenerateContent|asyncBatchEmbedContent|cancel|upload|download)$)",
        r"/api/(blobs|copy|create|delete|ps|pull|push|show|tags|version)(/|$)",
    )
]


def is_stored(path: str) -> bool:
    """A stored answer, looked at or changed: it was counted when it was made, and has the form it had then."""
    return _STORED.search(path) is not None


def is_management(path: str) -> bool:
    """Where providers manage things or count tokens. A proxy may have a model behind such a name: the answer's form is asked before."""
    return any(pattern.search(path) for pattern in _MANAGEMENT)
