/** A name server on this machine that knows TXT records only. */
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';

export interface NameServer {
  /** Records by lower-case name, each in its pieces; a name that is missing does not exist. */
  records: Map<string, string[][]>;
  /** Whether it only says that something is wrong with it. */
  broken: boolean;
  /** Asks this server and no other. */
  resolver: Resolver;
  stop(): Promise<void>;
}

const HEADER = 12;
const NO_ERROR = 0x8180;
const SERVER_FAILURE = 0x8182;
const NO_SUCH_NAME = 0x8183;

/** The name asked for, and where the question ends (RFC 1035, 4.1.2). */
function readQuestion(packet: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = packet.readUInt8(at); length > 0; length = packet.readUInt8(at)) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

function txtAnswer(pieces: string[]): Buffer {
  const data = Buffer.concat(
    pieces.map((piece) => Buffer.from([piece.length, ...Buffer.from(piece, 'latin1')])),
  );
  const head = Buffer.from([0xc0, HEADER, 0, 16, 0, 1, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function answerTo(packet: Buffer, server: Pick<NameServer, 'records' | 'broken'>): Buffer {
  const { name, end } = readQuestion(packet);
  const records = server.records.get(name);
  const answers = server.broken ? [] : (records ?? []).map(txtAnswer);
  const status = server.broken ? SERVER_FAILURE : records ? NO_ERROR : NO_SUCH_NAME;
  const header = Buffer.alloc(HEADER);
  packet.copy(header, 0, 0, 2);
  for (const [index, word] of [status, 1, answers.length, 0, 0].entries())
    header.writeUInt16BE(word, 2 + 2 * index);
  return Buffer.concat([header, packet.subarray(HEADER, end), ...answers]);
}

export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4');
  const resolver = new Resolver({ timeout: 10_000, tries: 2 });
  const server: NameServer = {
    records: new Map(),
    broken: false,
    resolver,
    async stop() {
      socket.close();
      await once(socket, 'close');
    },
  };
  socket.on('message', (packet, { port, address }) => socket.send(answerTo(packet, server), port, address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return server;
}
