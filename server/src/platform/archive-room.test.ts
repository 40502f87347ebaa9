import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { AppError } from '#kernel/errors.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import { createLog } from '#platform/log.ts';
import { createPlaces, type Shared, startArchive } from './archive-room.ts';

test('places are taken by one each, and given back', () => {
  const take = createPlaces<string>(2);
  const refusal = (mandant: string) => {
    try {
      take(mandant);
    } catch (error) {
      return error;
    }
    return null;
  };
  const leave = take('a');
  expect(refusal('a')).toMatchObject({
    kind: 'too-many',
    code: 'export_laeuft',
    retryAfter: 30,
  });
  take('b');
  expect(refusal('c')).toBeInstanceOf(AppError);
  leave();
  expect(refusal('b')).not.toBeNull();
  expect(refusal('a')).toBeNull();
  leave();
  expect(refusal('a')).not.toBeNull();
});

test('who has read one to its end may begin the next, though its file is still being closed', async () => {
  const mandant = mandantId('018f3c0e-7b1a-7c3e-9f43-0123456789ab');
  const spool = () => {
    const reader = Readable.from(['alles']);
    // As a disk that takes its time.
    reader._destroy = () => undefined;
    return { writer: new PassThrough(), reader };
  };
  const spools = {
    open: async () => spool(),
    writing: { inTurn: (_mandant: MandantId, write: () => Promise<void>) => write() },
  } as unknown as Shared['spools'];
  const log = createLog('silent');
  const shared = { takePlace: createPlaces<MandantId>(1), spools, longest: 1_000 };
  const next = () =>
    startArchive(log, shared, mandant, async ({ open, started }) => {
      await open(5);
      started({});
    });
  const { stream } = await next();
  await expect(next()).rejects.toMatchObject({ code: 'export_laeuft' });
  const [read] = await Promise.all([once(stream, 'data'), once(stream, 'end')]);
  expect([read, stream.closed]).toEqual([['alles'], false]);
  await next();
});
