"""A generation within a span, told by Langfuse's library for Python: `by_langfuse.py <address> <key>`."""

import sys

from langfuse import Langfuse

_, address, key = sys.argv
langfuse = Langfuse(public_key="pk-lf-any", secret_key=key, host=address)
with langfuse.start_as_current_observation(name="support", as_type="span"):
    with langfuse.start_as_current_observation(name="answer", as_type="generation", model="gpt-4o-mini") as generation:
        generation.update(
            input="What is a canary?",
            output="A bird.",
            usage_details={"input": 21, "cache_read_input_tokens": 2560, "output": 40},
        )
langfuse.flush()
langfuse.shutdown()
