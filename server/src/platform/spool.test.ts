import { once } from 'node:events';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished, pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { until } from '#test/until.ts';
import { createSpoolRoom, type SpoolOptions } from './spool.ts';

const MIB = 1024 * 1024;
let directory: string;
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'zw-spool-')), 'ausgaben');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(directory, { recursive: true, force: true });
});

const roomOf = (options: Partial<SpoolOptions> = {}) =>
  createSpoolRoom({ directory, maxBytes: 64 * MIB, reserve: 0, pace: { bytes: 1, ms: 60_000 }, ...options });

/** This many pieces of a MiB, each with its number. */
function pieces(count: number): Readable {
  return Readable.from(
    (function* () {
      for (let index = 0; index < count; index += 1) yield Buffer.alloc(MIB, index);
    })(),
    { objectMode: false },
  );
}

/** Files of the directory that this process has open, whether or not they have a name. */
const open = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(directory);
    } catch {
      return false;
    }
  }).length;

test('what is written is read, byte by byte, and nothing stays', async () => {
  const room = roomOf();
  const { writer, reader } = await room.open(0);
  const [all] = await Promise.all([buffer(reader), pipeline(pieces(20), writer)]);
  expect(all.equals(Buffer.concat(Array.from({ length: 20 }, (_, index) => Buffer.alloc(MIB, index))))).toBe(
    true,
  );
  await until('the file to be closed', () => open() === 0 && room.used === 0);
});

test('the writer does not wait for the reader, and no file has a name', async () => {
  const room = roomOf();
  const { writer, reader } = await room.open(0);
  await pipeline(pieces(20), writer);
  expect(room.used).toBe(20 * MIB);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(readdirSync(directory)).toEqual([]);
  expect(open()).toBe(1);
  // No more than a buffer of it is in memory.
  expect(reader.readableLength).toBeLessThan(MIB);
  expect(await buffer(reader)).toHaveLength(20 * MIB);
});

test('the reader gets at once what is there, while more is being written', async () => {
  const { writer, reader } = await roomOf().open(0);
  writer.write(Buffer.from('erst '));
  const chunks = reader[Symbol.asyncIterator]();
  expect(String((await chunks.next()).value)).toBe('erst ');
  const second = chunks.next();
  writer.write(Buffer.from('dann'));
  expect(String((await second).value)).toBe('dann');
  writer.end();
  expect((await chunks.next()).done).toBe(true);
});

test('a writer that breaks off is no end for the reader', async () => {
  const room = roomOf();
  const { writer, reader } = await room.open(0);
  const failing = Readable.from(
    (async function* () {
      yield Buffer.alloc(MIB);
      throw new Error('Abbruch');
    })(),
  );
  await expect(Promise.all([buffer(reader), pipeline(failing, writer)])).rejects.toThrow('Abbruch');
  await expect(buffer(reader)).rejects.toThrow();
  await until('the file to be closed', () => open() === 0 && room.used === 0);
});

test('a reader that goes away stops the writer', async () => {
  const room = roomOf();
  const { writer, reader } = await room.open(0);
  const writing = pipeline(pieces(1_000), writer);
  reader.once('data', () => reader.destroy());
  await expect(writing).rejects.toThrow('gone');
  await until('the file to be closed', () => open() === 0 && room.used === 0);
});

test('a reader that leaves unread what is there is cut off, at the end, too; one that waits is not', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const pace = { bytes: MIB, ms: 120 };
  const room = roomOf({ pace });
  const slow = await room.open(0);
  await pipeline(pieces(4), slow.writer);
  vi.advanceTimersByTime(2 * pace.ms);
  await expect(finished(slow.reader)).rejects.toThrow('bytes in 120 ms');
  const atTheEnd = await room.open(0);
  await pipeline(Readable.from([Buffer.alloc(100_000)]), atTheEnd.writer);
  await once(atTheEnd.reader, 'readable');
  atTheEnd.reader.read(10);
  vi.advanceTimersByTime(2 * pace.ms);
  await expect(finished(atTheEnd.reader)).rejects.toThrow('bytes in 120 ms');
  const patient = await room.open(0);
  patient.writer.write(Buffer.alloc(10));
  const reading = patient.reader[Symbol.asyncIterator]();
  expect((await reading.next()).value).toHaveLength(10);
  vi.advanceTimersByTime(10 * pace.ms);
  patient.writer.end();
  expect((await reading.next()).done).toBe(true);
  await until('the files to be closed', () => open() === 0 && room.used === 0);
});

test('all files together have no more room than they are given', async () => {
  const room = roomOf({ maxBytes: 10 * MIB });
  const first = await room.open(0);
  await pipeline(pieces(6), first.writer);
  await expect(room.open(5 * MIB)).rejects.toThrow('more than');
  const second = await room.open(4 * MIB);
  await expect(pipeline(pieces(6), second.writer)).rejects.toThrow('more than');
  await expect(buffer(second.reader)).rejects.toThrow();
  expect(await buffer(first.reader)).toHaveLength(6 * MIB);
  await until('the room to be free', () => room.used === 0);
  await (await room.open(10 * MIB)).reader.destroy();
});

test('the disk keeps what others need', async () => {
  const room = roomOf({ reserve: Number.MAX_SAFE_INTEGER });
  await expect(room.open(0)).rejects.toThrow('left on the disk');
});

test('what an ended process left is cleared away; the file of another one stays whole', async () => {
  const other = roomOf();
  const { writer, reader } = await other.open(0);
  await pipeline(pieces(2), writer);
  writeFileSync(join(directory, 'liegengeblieben'), '');
  await (await roomOf().open(0)).reader.destroy();
  expect(readdirSync(directory)).toEqual([]);
  expect(await buffer(reader)).toHaveLength(2 * MIB);
});
