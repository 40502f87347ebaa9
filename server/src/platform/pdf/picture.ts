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

/** The packed pixels of a PNG of a size that is taken; throws on what is too large, packed or not. */
function checkPng(bytes: Buffer): void {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const bits = bytes.readUInt8(24) * (CHANNELS[bytes.readUInt8(25)] ?? 0);
  if (bytes.toString('latin1', 12, 16) !== 'IHDR' || !fits(width, height) || bits === 0)
    throw new RangeError('not a picture of a size that is taken');
  const packed: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const from = at + 8;
    if (bytes.toString('latin1', at + 4, from) === 'IDAT')
      packed.push(bytes.subarray(from, from + bytes.readUInt32BE(at)));
  }
  // Interlaced pictures have seven parts, each with a byte more per row.
  const most = height * (Math.ceil((width * bits) / 8) + 1) * 2 + 64;
  inflateSync(Buffer.concat(packed), { maxOutputLength: most });
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
  checkPng(bytes);
  const png = decode(bytes, { checkCrc: true });
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
