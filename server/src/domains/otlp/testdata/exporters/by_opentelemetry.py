"""A call of a model and one that failed, told by OpenTelemetry's own exporter for Python: `by_opentelemetry.py <address> <key>`."""

import sys

from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Status, StatusCode

_, address, key = sys.argv
headers = {"Authorization": f"Bearer {key}"}
exporter = OTLPSpanExporter(f"{address}/v1/traces", headers=headers, compression=Compression.Gzip)
provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(exporter))
tracer = provider.get_tracer("library", "1.2.3")


def call(model):
    return tracer.start_as_current_span(
        f"chat {model}",
        attributes={
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": model,
            "user.id": "u-1",
        },
    )


with call("gpt-4o-mini") as span:
    span.set_attributes({"gen_ai.usage.input_tokens": 1210, "gen_ai.usage.output_tokens": 341})
with call("gpt-4o") as span:
    span.set_attribute("error.type", "RateLimitError")
    span.set_status(Status(StatusCode.ERROR))
provider.shutdown()
