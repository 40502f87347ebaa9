/** `google.rpc.Status` in Protocol Buffers: how a door of OTLP refuses a request that came in them. */

/** By status of HTTP the code of gRPC; others are unknown. */
const CODES: Record<number, number> = {
  400: 3,
  401: 16,
  403: 7,
  404: 5,
  413: 8,
  415: 3,
  422: 3,
  429: 8,
  503: 14,
};
const UNKNOWN = 2;

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    bytes.push(left >= 128 ? (left % 128) + 128 : left);
    if (left < 128) return bytes;
  }
}

/** A field of bytes: its tag, how long it is, and they. */
export const bytesField = (field: number, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([field * 8 + 2, ...varint(bytes.length)]), bytes]);

export const countField = (field: number, count: number): Buffer =>
  Buffer.from([field * 8, ...varint(count)]);

export const rpcStatus = (httpStatus: number, message: string): Buffer =>
  Buffer.concat([countField(1, CODES[httpStatus] ?? UNKNOWN), bytesField(2, Buffer.from(message))]);
