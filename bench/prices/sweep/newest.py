"""Writes the newest price lists of PyPI as JSON: litellm.json as it is, genai-prices.json as the package for npm reads it.

    PYTHONPATH=<installed genai-prices> python3 newest.py FOLDER LITELLM_WHEEL
"""

import dataclasses
import datetime
import decimal
import json
import pathlib
import sys
import zipfile

from genai_prices import data

LITELLM = "litellm/model_prices_and_context_window_backup.json"
KINDS = {"StartDateConstraint": "start_date", "TimeOfDateConstraint": "time_of_date"}
WANTED = {"id", "name", "api_pattern", "model_match", "provider_match", "fallback_model_providers", "models", "match", "prices"}


def plain(value: object) -> object:
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, datetime.time):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if type(value).__name__ == "ModelPrice" or not dataclasses.is_dataclass(value):
        return {k: plain(v) for k, v in vars(value).items() if v is not None} if hasattr(value, "__dict__") else value
    fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if type(value).__name__ in ("Provider", "ModelInfo"):
        fields = {name: each for name, each in fields.items() if name in WANTED}
    kind = KINDS.get(type(value).__name__)
    said = {name.rstrip("_"): plain(each) for name, each in fields.items() if each is not None}
    return {"type": kind, **said} if kind else said


folder, wheel = pathlib.Path(sys.argv[1]), sys.argv[2]
with zipfile.ZipFile(wheel) as archive:
    (folder / "litellm.json").write_bytes(archive.read(LITELLM))
(folder / "genai-prices.json").write_text(json.dumps(plain(data.providers)))
