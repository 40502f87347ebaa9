import { crc32 } from 'node:zlib';

const textHeader = (name: string, value: string): Buffer => {
  const head = Buffer.from([name.length, ...Buffer.from(name), 7, 0, value.length]);
  return Buffer.concat([head, Buffer.from(value)]);
};

/** A frame of an AWS event stream (`application/vnd.amazon.eventstream`) around a JSON payload. */
export function awsFrame(kind: 'event' | 'exception', name: string, payload: unknown): Uint8Array {
  const headers = Buffer.concat([
    textHeader(`:${kind}-type`, name),
    textHeader(':content-type', 'application/json'),
    textHeader(':message-type', kind),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const frame = Buffer.alloc(16 + headers.length + body.length);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(headers.length, 4);
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
  headers.copy(frame, 12);
  body.copy(frame, 12 + headers.length);
  frame.writeUInt32BE(crc32(frame.subarray(0, -4)), frame.length - 4);
  return frame;
}
