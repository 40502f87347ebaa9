import { describe, expect, it } from 'vitest';
import { createProgress } from './progress.ts';

/** A target that remembers what was written, and a clock to set. */
function setUp(isTTY: boolean, columns = 100) {
  const written: string[] = [];
  let time = 0;
  const target = { isTTY, columns, write: (text: string) => written.push(text) };
  const progress = createProgress(target, () => time);
  return {
    written,
    progress,
    at: (ms: number) => {
      time = ms;
    },
  };
}

// German number formats put a no-break space before the percent sign.
const plain = (text: string | undefined) => text?.replaceAll('\u00a0', ' ');

describe('createProgress', () => {
  it('rewrites one line on a terminal', () => {
    const { written, progress, at } = setUp(true);
    progress.update(0, 0);
    at(50);
    progress.update(500, 0.0025);
    at(10_000);
    progress.update(50_000, 0.25);
    progress.finish('fertig');
    expect(written).toHaveLength(3);
    expect(plain(written[1])).toBe(
      '\r\x1b[2K██████░░░░░░░░░░░░░░░░░░  50.000 Aufrufe · 25 % · 5.000/s · noch 0:30',
    );
    expect(written[2]).toBe('\r\x1b[2Kfertig\n');
  });

  it('never fills more than the line', () => {
    const { written, progress } = setUp(true, 40);
    progress.update(0, 0);
    expect(written[0]?.replace('\r\x1b[2K', '').length).toBe(39);
  });

  it('writes a plain line every few seconds elsewhere', () => {
    const { written, progress, at } = setUp(false);
    for (let ms = 0; ms <= 12_000; ms += 500) {
      at(ms);
      progress.update(ms * 4, ms / 60_000);
    }
    expect(written.map(plain)).toEqual([
      '20.000 Aufrufe · 8 % · 4.000/s · noch 0:55\n',
      '40.000 Aufrufe · 17 % · 4.000/s · noch 0:50\n',
    ]);
  });

  it('reckons the rest from what is gained since it began', () => {
    const { written, progress, at } = setUp(false);
    progress.update(100_000, 0.5);
    at(10_000);
    progress.update(120_000, 0.6);
    expect(plain(written[0])).toBe('120.000 Aufrufe · 60 % · 2.000/s · noch 0:40\n');
  });
});
