import { deflateSync } from 'node:zlib';
import { createCanvas } from '@napi-rs/canvas';
import fc from 'fast-check';
import { decode, encode } from 'fast-png';
import { expect, test } from 'vitest';
import { fuzzRuns } from '#test/fuzz.ts';
import { accentOf } from './colours.ts';
import { pictureOf } from './picture.ts';
import { Sheet } from './sheet.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
}

/** A PNG made by hand: any size, depth and kind of colour. */
function png(
  width: number,
  height: number,
  depth: number,
  colour: number,
  raw: Buffer,
  ...extra: Buffer[]
): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([depth, colour, 0, 0, 0], 8);
  const parts = [
    chunk('IHDR', head),
    ...extra,
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([SIGNATURE, ...parts]);
}

/** The pixels of what a picture has become. */
const pixelsOf = (bytes: Uint8Array) => [...decode(pictureOf(bytes)?.bytes as Uint8Array).data];

test('what is transparent becomes white paper', () => {
  const data = new Uint8Array([200, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 128, 10, 20, 30, 255]);
  const picture = encode({ width: 2, height: 2, data, channels: 4, depth: 8 });
  expect(pixelsOf(picture)).toEqual([200, 0, 0, 255, 255, 255, 127, 127, 127, 10, 20, 30]);
});

test('palettes, few bits, many bits and grey are shown as they are', () => {
  const palette = chunk('PLTE', Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 255]));
  const clear = chunk('tRNS', Buffer.from([255, 0]));
  // Two bits each: 0, 1, 2, 0.
  const indexed = png(4, 1, 2, 3, Buffer.from([0, 0b00011000]), palette, clear);
  expect(pixelsOf(indexed)).toEqual([255, 0, 0, 255, 255, 255, 0, 0, 255, 255, 0, 0]);
  const grey = png(3, 1, 4, 0, Buffer.from([0, 0x0f, 0x80]));
  expect(pixelsOf(grey)).toEqual([0, 0, 0, 255, 255, 255, 136, 136, 136]);
  const deep = png(1, 1, 16, 2, Buffer.from([0, 0x12, 0x34, 0xff, 0xff, 0, 0]));
  expect(pixelsOf(deep)).toEqual([0x12, 0xff, 0]);
});

test.each(['iCCP', 'zTXt', 'iTXt', 'tEXt', 'eXIf', 'acTL', 'fdAT', 'sBIT', 'prVt'])(
  'what %s says is not read, be it packed or broken: nothing of a PNG is but its pixels',
  (kind) => {
    const pixels = Buffer.from([0, 1, 2, 3, 4, 5, 6]);
    const bomb = deflateSync(Buffer.alloc(20_000_000));
    for (const data of [
      Buffer.concat([Buffer.from('Profil\0\0', 'latin1'), bomb]),
      Buffer.from('Profil\0\0nicht gepackt', 'latin1'),
      Buffer.alloc(0),
    ])
      expect(pictureOf(png(2, 1, 8, 2, pixels, chunk(kind, data)))).toEqual(
        pictureOf(png(2, 1, 8, 2, pixels)),
      );
  },
);

test('a JPEG stays as it is, without its notes', () => {
  const canvas = createCanvas(40, 20);
  const bytes = canvas.toBuffer('image/jpeg');
  expect(pictureOf(bytes)).toEqual({ width: 40, height: 20, bytes });
  const notes = Buffer.from([0xff, 0xe1, 0, 10, ...Buffer.from('Exif\0\0II')]);
  const noted = Buffer.concat([bytes.subarray(0, 2), notes, bytes.subarray(2)]);
  expect(pictureOf(noted)).toEqual({ width: 40, height: 20, bytes });
});

test('what is broken, cut off, too large, in the colours of print or no picture is none', () => {
  const jpeg = createCanvas(40, 20).toBuffer('image/jpeg');
  const inPrint = Buffer.from(jpeg);
  inPrint[inPrint.indexOf(Buffer.from([0xff, 0xc0])) + 9] = 4;
  const whole = png(2, 1, 8, 2, Buffer.alloc(7));
  const wrongSum = Buffer.from(whole);
  wrongSum.writeUInt8(wrongSum.readUInt8(wrongSum.length - 20) ^ 1, wrongSum.length - 20);
  const hostile: (Uint8Array | null)[] = [
    null,
    Buffer.alloc(0),
    Buffer.from('<svg/>'),
    SIGNATURE,
    jpeg.subarray(0, 300),
    inPrint,
    Buffer.from([0xff, 0xd8, 0xff, 0xd9]),
    wrongSum,
    whole.subarray(0, 50),
    png(100_000, 100_000, 8, 2, Buffer.alloc(7)),
    png(0, 1, 8, 2, Buffer.alloc(1)),
    png(2, 1, 8, 7, Buffer.alloc(7)),
    // Less, and far more, than its size says.
    png(2, 2, 8, 2, Buffer.alloc(3)),
    png(2, 1, 8, 2, Buffer.alloc(50_000_000)),
    // Whose size is said twice: the second is not what was looked at.
    png(2, 1, 8, 2, Buffer.alloc(7), whole.subarray(8, 33)),
    png(2, 1, 8, 2, Buffer.alloc(7), chunk('PLTE', Buffer.alloc(3)), chunk('PLTE', Buffer.alloc(3))),
    Buffer.concat([whole.subarray(0, 8), whole.subarray(33), whole.subarray(8, 33)]),
  ];
  expect(hostile.map(pictureOf)).toEqual(hostile.map(() => null));
});

test('whatever bytes come, there is a document, with the picture or without', async () => {
  const whole = [png(4, 4, 8, 6, Buffer.alloc(68)), createCanvas(20, 20).toBuffer('image/jpeg')];
  const change = fc.tuple(fc.nat({ max: 2_000 }), fc.nat({ max: 255 }));
  const about = { title: 'Bild', author: 'Muster', madeAt: new Date(0) };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...whole),
      fc.array(change, { maxLength: 6 }),
      async (bytes, changes) => {
        const changed = Buffer.from(bytes);
        for (const [at, value] of changes) changed[at % changed.length] = value;
        const picture = pictureOf(changed);
        if (changes.length === 0) expect(picture).not.toBeNull();
        if (picture === null) return;
        const sheet = new Sheet(about, 'de', accentOf(null), { footer: null, running: '' });
        sheet.picture(picture, 'Bild', 100, 100, { width: 50, height: 50 });
        expect((await sheet.finish()).length).toBeGreaterThan(1_000);
      },
    ),
    { numRuns: fuzzRuns(100) },
  );
});
