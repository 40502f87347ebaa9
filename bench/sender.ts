/**
 * A kept connection that sends batches one after the other. What a sender costs is taken from the service it measures, on the same
 * processors: this one does no more for an answer than to find its status and its end.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answer {
  status: number;
  hasRetryAfter: boolean;
}

const END_OF_HEAD = '\r\n\r\n';
/** Milliseconds until an answer must have come. */
const PATIENCE = 60_000;
const NOTHING = Buffer.alloc(0);

/** The answer at the start of the bytes, and where it ends; null while it is not whole. Throws where it does not say how long it is. */
function readAnswer(bytes: Buffer): (Answer & { end: number; closes: boolean }) | null {
  const headEnd = bytes.indexOf(END_OF_HEAD);
  if (headEnd < 0) return null;
  const head = bytes.toString('latin1', 0, headEnd).toLowerCase();
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer of unknown length:\n${head}`);
  const end = headEnd + END_OF_HEAD.length + Number(length);
  if (bytes.length < end) return null;
  return {
    status: Number(head.slice(9, 12)),
    hasRetryAfter: head.includes('\r\nretry-after:'),
    closes: head.includes('\r\nconnection: close'),
    end,
  };
}

export class Sender {
  readonly #host: string;
  readonly #port: number;
  #socket: Socket | null = null;
  #received: Buffer = NOTHING;
  #settle: { resolve: (answer: Answer) => void; reject: (error: unknown) => void } | null = null;

  constructor(address: string) {
    const { hostname, port } = new URL(address);
    this.#host = hostname;
    this.#port = Number(port);
  }

  /** Sends a request to `POST /v1/ereignisse` with these lines of its head; one at a time. Rejects when the connection ends first. */
  async post(lines: string, body: Buffer): Promise<Answer> {
    const socket = this.#socket ?? (await this.#connect());
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      const head = `POST /v1/ereignisse HTTP/1.1\r\nhost: ${this.#host}\r\n${lines}content-length: ${body.length}${END_OF_HEAD}`;
      socket.cork();
      socket.write(head, 'latin1');
      socket.write(body);
      socket.uncork();
    });
  }

  end(): void {
    this.#socket?.destroy();
  }

  async #connect(): Promise<Socket> {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
    await once(socket, 'connect');
    socket.setTimeout(PATIENCE, () => socket.destroy(new Error(`no answer in ${PATIENCE} ms`)));
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => {
      this.#socket = null;
      this.#fail(new Error('the connection was closed before the answer'));
    });
    this.#socket = socket;
    return socket;
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    try {
      const answer = readAnswer(this.#received);
      if (!answer) return;
      this.#received = NOTHING;
      if (answer.closes) {
        this.#socket?.destroy();
        this.#socket = null;
      }
      const settle = this.#settle;
      this.#settle = null;
      settle?.resolve(answer);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#received = NOTHING;
    const settle = this.#settle;
    this.#settle = null;
    settle?.reject(error);
  }
}
