/** W3C Trace Context: version, trace id, parent id, flags. */
const TRACEPARENT =
  /^[0-9a-f]{2}-([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})-[0-9a-f]{16}-[0-9a-f]{2}/;

/** The trace id of a `traceparent` header as a UUID; null where it has none. */
export function traceUuid(traceparent: string | null | undefined): string | null {
  const groups = TRACEPARENT.exec(traceparent?.trim().toLowerCase() ?? '')?.slice(1);
  const uuid = groups?.join('-') ?? null;
  return uuid === null || /^[0-]+$/.test(uuid) ? null : uuid;
}
