/** Headers as they pass: all of them, as they are written, but those of a single connection and our own. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

export type Request = IncomingMessage | Http2ServerRequest;
export type Response = ServerResponse | Http2ServerResponse;

const OF_A_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);
const OF_A_REQUEST = new Set(['host', 'expect']);
const OURS = /^(x-zaehlwerk-|:)/;

/** Name and value after each other. */
type Raw = readonly (string | Buffer)[];

const textAt = (raw: Raw, index: number): string => {
  const value = raw[index] as string | Buffer;
  return typeof value === 'string' ? value : value.toString('latin1');
};

/** Those whose name, in lower case, is passed on. */
function passing(raw: Raw, isLeftOut: (name: string) => boolean): string[] {
  const passed: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const written = textAt(raw, index);
    const name = written.toLowerCase();
    if (OF_A_CONNECTION.has(name) || OURS.test(name) || isLeftOut(name)) continue;
    passed.push(written, textAt(raw, index + 1));
  }
  return passed;
}

/** What `Connection` names belongs to the connection, too. */
const namedBy = (connection: string | undefined): Set<string> =>
  new Set((connection ?? '').toLowerCase().split(/[\s,]+/));

/** Of a request, without those named. */
export function requestHeaders({ rawHeaders, headers }: Request, without: readonly string[]): string[] {
  const connection = namedBy(headers.connection);
  return passing(
    rawHeaders,
    (name) => OF_A_REQUEST.has(name) || connection.has(name) || without.includes(name),
  );
}

/** Of an answer, without those named. */
export const answerHeaders = (raw: Raw, without: readonly string[]): string[] =>
  passing(raw, (name) => without.includes(name));

/** HTTP/2 has names in lower case, each once. */
function asObject(raw: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string[]> = {};
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] as string).toLowerCase();
    const values = headers[name] ?? [];
    values.push(raw[index + 1] as string);
    headers[name] = values;
  }
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [
      name,
      values.length === 1 ? (values[0] as string) : values,
    ]),
  );
}

/** Writes the head of an answer. */
export function writeHead(response: Response, status: number, message: string, raw: string[]): void {
  if ('stream' in response) {
    response.writeHead(status, asObject(raw));
    return;
  }
  response.sendDate = false;
  response.writeHead(status, message, raw);
}
