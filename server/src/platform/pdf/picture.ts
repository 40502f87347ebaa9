/** Pictures that came from elsewhere: taken only where they can be shown in full, at a cost known before. */
import { inflateSync } from 'node:zlib';
import { convertIndexedToRgb, type DecodedPng, decode, encode } from 'fast-png';

export interface Picture {
  width: number;
  height: number;
  /** A JPEG without its notes, or a PNG of three channels without transparency. */
  bytes: Uint8Array;
}

/** On a side; larger ones are no logos. */
const MOST_PIXELS = 3_000;
const MOST_AREA = 4_000_000;

const fits = (width: number, height: number) =>
  width > 0 && height > 0 && width <= MOST_PIXELS && height <= MOST_PIXELS && width * height <= MOST_AREA;

/** Channels of each colour type of PNG. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** What a picture is made of. Whatever else a file has in it, profiles and texts that are packed for themselves, nobody reads. */
const CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
/** Length, kind and checksum. */
const CHUNK_FRAME = 12;

interface Chunk {
  kind: string;
  data: Buffer;
  /** With its frame, as it stands in the file. */
  whole: Buffer;
}

/** The chunks that are read, in their order; throws on a file that is cut off or says more than once what is said once. */
function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  const seen = new Set<string>();
  for (let at = 8; !seen.has('IEND'); ) {
    const next = at + CHUNK_FRAME + bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (next > bytes.length || (seen.has(kind) && CHUNKS.has(kind) && kind !== 'IDAT'))
      throw new RangeError('not a PNG');
    if (CHUNKS.has(kind))
      chunks.push({ kind, data: bytes.subarray(at + 8, next - 4), whole: bytes.subarray(at, next) });
    seen.add(kind);
    at = next;
  }
  return chunks;
}

/** A PNG of a size that is taken, of nothing but its pixels; throws on what is too large, packed or not. */
function boundedPng(bytes: Buffer): Buffer {
  const chunks = chunksOf(bytes);
  const head = chunks[0];
  if (head?.kind !== 'IHDR') throw new RangeError('not a PNG');
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)];
  const bits = head.data.readUInt8(8) * (CHANNELS[head.data.readUInt8(9)] ?? 0);
  if (!fits(width, height) || bits === 0) throw new RangeError('not a picture of a size that is taken');
  // Interlaced pictures have seven parts, each with a byte more per row.
  const most = height * (Math.ceil((width * bits) / 8) + 1) * 2 + 64;
  const packed = chunks.filter(({ kind }) => kind === 'IDAT').map(({ data }) => data);
  inflateSync(Buffer.concat(packed), { maxOutputLength: most });
  return Buffer.concat([bytes.subarray(0, 8), ...chunks.map(({ whole }) => whole)]);
}

/** The channels of a pixel, each 0 to 255. */
function channelsOf(png: DecodedPng): { data: ArrayLike<number>; channels: number } {
  if (png.palette) return { data: convertIndexedToRgb(png), channels: png.palette[0]?.length ?? 3 };
  const { width, height, depth, channels } = png;
  if (depth >= 8) {
    const data = depth === 16 ? Uint8Array.from(png.data, (value) => value >> 8) : png.data;
    return { data, channels };
  }
  // Grey of less than a byte: rows begin at a byte.
  const row = Math.ceil((width * depth) / 8);
  const grey = Uint8Array.from({ length: width * height }, (_, index) => {
    const bit = (index % width) * depth;
    const byte = png.data[Math.floor(index / width) * row + (bit >> 3)] as number;
    return (((byte >> (8 - depth - (bit & 7))) & (2 ** depth - 1)) * 255) / (2 ** depth - 1);
  });
  return { data: grey, channels };
}

/** On white paper, three channels, nothing transparent: what the library and every reader take alike. */
function flattened(png: DecodedPng): Uint8Array {
  const { data, channels } = channelsOf(png);
  const isGrey = channels < 3;
  const hasAlpha = channels % 2 === 0;
  const flat = new Uint8Array(png.width * png.height * 3);
  for (let pixel = 0; pixel < png.width * png.height; pixel += 1) {
    const from = pixel * channels;
    const alpha = hasAlpha ? (data[from + channels - 1] as number) : 255;
    for (let channel = 0; channel < 3; channel += 1) {
      const value = data[from + (isGrey ? 0 : channel)] as number;
      flat[pixel * 3 + channel] = Math.round((value * alpha + 255 * (255 - alpha)) / 255);
    }
  }
  return flat;
}

function pngPicture(bytes: Buffer): Picture {
  const png = decode(boundedPng(bytes), { checkCrc: true });
  const { width, height } = png;
  return { width, height, bytes: encode({ width, height, data: flattened(png), channels: 3, depth: 8 }) };
}

/** Frames that readers of PDF take (baseline, extended, progressive), and all there are. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
const ANY_FRAME = new Set([...FRAMES, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);
const SCAN = 0xda;
/** Where cameras keep notes: nothing of it is needed, and who reads it may stumble. */
const NOTES = 0xe1;

/** The size that a frame says; throws for one of another kind or depth, or in the colours of print. */
function frameSize(bytes: Buffer, at: number): { width: number; height: number } {
  const [depth, channels] = [bytes.readUInt8(at + 4), bytes.readUInt8(at + 9)];
  if (!FRAMES.has(bytes.readUInt8(at + 1)) || depth !== 8 || (channels !== 1 && channels !== 3))
    throw new RangeError('of a kind that is not taken');
  return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
}

/** A JPEG without its notes; throws on one without end or without one frame that is taken. */
function jpegPicture(bytes: Buffer): Picture {
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < bytes.length - 64) throw new RangeError('cut off');
  const sizes: { width: number; height: number }[] = [];
  const parts = [bytes.subarray(0, 2)];
  let at = 2;
  for (let marker = bytes.readUInt8(at + 1); marker !== SCAN; marker = bytes.readUInt8(at + 1)) {
    const next = at + 2 + bytes.readUInt16BE(at + 2);
    if (bytes.readUInt8(at) !== 0xff) throw new RangeError('no marker');
    if (ANY_FRAME.has(marker)) sizes.push(frameSize(bytes, at));
    if (marker !== NOTES) parts.push(bytes.subarray(at, next));
    at = next;
  }
  const [size] = sizes;
  if (!size || sizes.length > 1 || !fits(size.width, size.height))
    throw new RangeError('not of a size that is taken');
  return { ...size, bytes: Buffer.concat([...parts, bytes.subarray(at)]) };
}

/** A PNG or JPEG that can be shown; null for whatever is broken, too large or of another kind. */
export function pictureOf(bytes: Uint8Array | null): Picture | null {
  if (bytes === null) return null;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (buffer.subarray(0, 4).toString('latin1') === '\x89PNG') return pngPicture(buffer);
    return buffer.subarray(0, 3).toString('latin1') === '\xff\xd8\xff' ? jpegPicture(buffer) : null;
  } catch {
    return null;
  }
}
