"""Used by the test of the wheel: an empty project that has it and nothing else."""

import sys

import zaehlwerk

base_url = sys.argv[1]
zw = zaehlwerk.init(base_url, "key")
body = '{"id":"chatcmpl-CeXvq2N0mTz5b8aQwErTyUiOpAsDf","model":"gpt-4o","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":1}}'
with zw.run(agent="support/triage", endkunde="K-1") as run:
    zw.guard()
    zw.record(zaehlwerk.Exchange("https://api.openai.com/v1/chat/completions", {}, 200, "application/json", body))
