/** The trace of a host that uses OpenTelemetry, whose API leaves itself where every copy of it is found. */
import { at } from '../json.ts';

const API = Symbol.for('opentelemetry.js.api.1');
const SPAN = Symbol.for('OpenTelemetry Context Key SPAN');

interface OpenTelemetry {
  context?: { active(): { getValue(key: symbol): unknown } };
}

/** `traceparent` of the span that is active; null without one. */
export function activeTraceparent(): string | null {
  try {
    const api = (globalThis as { [API]?: OpenTelemetry })[API];
    const span = api?.context?.active().getValue(SPAN) as { spanContext?(): unknown } | undefined;
    const context = span?.spanContext?.();
    return context ? `00-${at(context, 'traceId')}-${at(context, 'spanId')}-01` : null;
  } catch {
    return null;
  }
}
