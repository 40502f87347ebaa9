/** What Node cannot read as HTTP, or not in time, never becomes a request; it is answered like one all the same. */
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import type { ErrorBody, ErrorCode } from '#contracts';
import type { Log } from '#platform/log.ts';

interface Refusal {
  status: string;
  code: ErrorCode;
  detail: string;
}

const UNREADABLE: Refusal = {
  status: '400 Bad Request',
  code: 'anfrage_ungueltig',
  detail: 'Die Anfrage ist kein gültiges HTTP.',
};

const REFUSALS: ReadonlyMap<string, Refusal> = new Map([
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    {
      status: '408 Request Timeout',
      code: 'zu_langsam',
      detail: 'Die Anfrage kam nicht innerhalb von 30 Sekunden an.',
    },
  ],
  [
    'HPE_HEADER_OVERFLOW',
    {
      status: '431 Request Header Fields Too Large',
      code: 'kopf_zu_gross',
      detail: 'Adresse und Kopfzeilen der Anfrage sind zusammen größer als 16 KiB.',
    },
  ],
  [
    'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    { status: '413 Content Too Large', code: 'zu_gross', detail: 'Die Anfrage ist zu groß.' },
  ],
]);

function messageOf({ status, code, detail }: Refusal, headers: Record<string, string>): string {
  const body = JSON.stringify({ detail, code } satisfies ErrorBody);
  const lines = Object.entries({
    ...headers,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`;
}

/** What is being answered on a connection; Node's types leave it out. */
type Answering = Socket & { _httpMessage?: { headersSent: boolean } | null };

/** Makes the handler of such errors; `headers` are those of every answer. */
export function createParserErrorHandler(headers: Record<string, string>, log: Log) {
  return (error: ConnectionError, socket: Socket): void => {
    const isAnswered = (socket as Answering)._httpMessage?.headersSent ?? false;
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) {
      socket.destroy();
      return;
    }
    const refusal = REFUSALS.get(error.code) ?? UNREADABLE;
    log.info({ status: Number.parseInt(refusal.status, 10), reason: error.code }, 'unreadable request');
    socket.write(messageOf(refusal, headers));
    socket.destroySoon();
  };
}
