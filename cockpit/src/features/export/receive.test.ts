import { describe, expect, it } from 'vitest';
import { BrokenOff, NotWritten, receiveArchive, type Sink } from './receive.ts';

const content = Uint8Array.from([1, 2, 3, 4, 5]);
const end = Uint8Array.from([0x50, 0x4b, 5, 6, ...Array<number>(18).fill(0)]);

const streamOf = (...pieces: Uint8Array<ArrayBuffer>[]) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });

function sinkOf(fails?: 'write' | 'close') {
  const events: string[] = [];
  const act = (name: 'write' | 'close' | 'abort') => async () => {
    events.push(name);
    if (name === fails) throw new Error('disk full');
  };
  const sink: Sink = { write: act('write'), close: act('close'), abort: act('abort') };
  return { sink, events };
}

const ignore = () => undefined;

describe('receiveArchive', () => {
  it('takes every piece, also an end that comes in two', async () => {
    const { sink, events } = sinkOf();
    const counted: number[] = [];
    const stream = streamOf(content, end.slice(0, 9), end.slice(9));
    expect(await receiveArchive(stream, sink, (bytes) => counted.push(bytes))).toBe(27);
    expect(counted).toEqual([5, 14, 27]);
    expect(events).toEqual(['write', 'write', 'write', 'close']);
  });

  it('keeps nothing of an archive without its end', async () => {
    const { sink, events } = sinkOf();
    const cut = streamOf(content, end.slice(0, 21));
    await expect(receiveArchive(cut, sink, ignore)).rejects.toThrow(BrokenOff);
    expect(events.at(-1)).toBe('abort');
  });

  it('keeps nothing when the connection breaks', async () => {
    const { sink, events } = sinkOf();
    const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.error(new TypeError('network')),
    });
    await expect(receiveArchive(broken, sink, ignore)).rejects.toThrow(BrokenOff);
    expect(events).toEqual(['abort']);
  });

  it.each(['write', 'close'] as const)('says when it cannot be written (%s)', async (fails) => {
    const { sink, events } = sinkOf(fails);
    await expect(receiveArchive(streamOf(content, end), sink, ignore)).rejects.toThrow(NotWritten);
    expect(events.at(-1)).toBe('abort');
  });
});
