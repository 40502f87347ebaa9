/** From the bytes of a body to its value: one reader for each media type of a route, and the general one for all others. */
import type { IncomingHttpHeaders } from 'node:http';
import type { TSchema } from 'typebox';
import { compileCheck, excessOf, type Fault, missingBody, parseJson } from './check/index.ts';
import { InvalidRequest, tooLarge, UnreadableBody } from './errors.ts';

/**
 * A body as it was read, or all that is wrong with it. `worth`: how many milliseconds of CPU time reading such a content may
 * take at most when nobody has made it dear on purpose; none unless given.
 */
export type ReadBody<B> = { ok: true; value: B; worth?: number } | { ok: false; faults: Fault[] };

/** What is known of a body besides its bytes. */
interface Circumstances {
  header: IncomingHttpHeaders;
  receivedAt: Date;
  /** What the route knows of who sends it; null where it asks for nothing. */
  known: unknown;
}

/** A value as it was sent. `plainText`: neither NUL nor lone surrogates can occur in it. */
interface ParsedBody {
  value: unknown;
  plainText: boolean;
}

/** The general way from bytes to a value. */
export interface GeneralReader<G = unknown> {
  /** Reads JSON and checks it by the operation's schema. */
  read(bytes: Buffer): ReadBody<G>;
  /** Its two halves. What is no JSON is thrown, as is what holds too much. */
  parse(bytes: Buffer): ParsedBody;
  check(parsed: ParsedBody): ReadBody<G>;
}

/**
 * Reads the bytes of a body, unpacked and not empty. The faults it returns are answered together with those of the other
 * parts of the request (422); what must be refused whatever else is wrong it throws.
 */
export type BodyReader<B, G = unknown> = (
  bytes: Buffer,
  general: GeneralReader<G>,
  circumstances: Circumstances,
) => ReadBody<B>;

/** Readers by media type, in lower case and without parameters; `application/json` stands for every kind of JSON. */
export type BodyReaders<B, G = unknown> = Readonly<Record<string, BodyReader<B, G>>>;

const JSON_TYPE = 'application/json';
const ANY_JSON = /^application\/([\w.-]+\+)?json$/;

function mediaTypeOf(contentType: string | undefined): string {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return ANY_JSON.test(type) ? JSON_TYPE : type;
}

const TOO_MUCH = {
  values: {
    de: 'Der Inhalt hat zu viele einzelne Werte für seine Länge; bitte auf mehrere Anfragen verteilen.',
    en: 'The content has too many single values for its length; please spread it over several requests.',
  },
  names: {
    de: 'Der Inhalt hat zu viele verschiedene Feldnamen für seine Länge; bitte auf mehrere Anfragen verteilen.',
    en: 'The content has too many different field names for its length; please spread it over several requests.',
  },
};

/**
 * Throws InvalidRequest (422) and UnreadableBody (400) for what is no JSON, an HttpError (413) for what holds too much. What
 * nests beyond reason is not explained but refused, as the reference does.
 */
function parse(bytes: Buffer): ParsedBody {
  const excess = excessOf(bytes);
  if (excess === 'nesting') throw new UnreadableBody();
  if (excess) throw tooLarge(TOO_MUCH[excess]);
  const parsed = parseJson(bytes);
  if (parsed.ok) return parsed;
  if (parsed.status === 400) throw new UnreadableBody();
  throw new InvalidRequest(parsed.faults);
}

/** Reads a whole body by its `Content-Type`. Throws InvalidRequest (422), UnreadableBody (400) and what its readers throw. */
export type ReadBytes = (bytes: Buffer, circumstances: Circumstances) => ReadBody<unknown>;

/** Makes the reader of an operation's bodies; null where it has none. */
export function compileReadBytes(
  schema: TSchema | undefined,
  readers: BodyReaders<unknown>,
): ReadBytes | null {
  if (!schema) return null;
  const check = compileCheck(schema);
  const json: GeneralReader = {
    read: (bytes) => json.check(parse(bytes)),
    parse,
    check: ({ value, plainText }) =>
      value === null ? { ok: false, faults: missingBody() } : check(value, ['body'], { plainText }),
  };
  return (bytes, circumstances) => {
    if (bytes.length === 0) return { ok: false, faults: missingBody() };
    const type = mediaTypeOf(circumstances.header['content-type']);
    const reader = Object.hasOwn(readers, type) ? readers[type] : undefined;
    if (reader) return reader(bytes, json, circumstances);
    // Any other media type is taken as the plain text it is, which no object schema accepts.
    return type === JSON_TYPE
      ? json.read(bytes)
      : json.check({ value: bytes.toString('utf8'), plainText: false });
  };
}
