/** Bodies that hold a file as text: what is made of them is made in a thread, and only that comes to the handler. */
import type { BodyOf, Operation } from '#contracts';
import type { BodyReader } from '../readers.ts';
import type { RouteOptions } from '../route.ts';
import type { ReadAside } from './thread.ts';

/** As long as contracts take a file: two million characters, each written in up to two bytes. */
const BODY_LIMIT = 4 * 1024 * 1024;

/** What came of a body. */
interface Made<B> {
  value: B;
  /** Milliseconds of CPU time that making it may take when nobody has made it dear on purpose. */
  worth: number;
}

/** How an operation reads its file: `options` for its route, the rest for the thread. */
export interface FileBody<B, G> extends ReadAside {
  options: RouteOptions<B, G>;
}

/** `make` gets what the schema has checked; it throws InvalidInput for what is in the file. */
export function fileBody<O extends Operation, B>(
  operation: O,
  make: (body: BodyOf<O>) => Made<B>,
): FileBody<B, BodyOf<O>> {
  const read: BodyReader<B, BodyOf<O>> = (bytes, general) => {
    const body = general.read(bytes);
    return body.ok ? { ok: true, ...make(body.value) } : body;
  };
  const readers = { 'application/json': read };
  return {
    operation,
    bodyLimit: BODY_LIMIT,
    readers: readers as ReadAside['readers'],
    options: { bodyLimit: BODY_LIMIT, readers, fromAside: (value) => value as B, aside: 'files' },
  };
}
