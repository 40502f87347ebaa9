import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { AVV_FASSUNG } from '#contracts/avv.ts';
import { avvSections } from './avv-text.ts';

/** Of every version that could be accepted, the hash of its text. */
const TEXTS: Record<string, string> = {
  '1': '91a1faf1cbbe8ca9b986bda58421cab7dbabd8f7d0950a71667516ef714d4d89',
};

it('has a version of its own for every text', () => {
  const text = JSON.stringify(avvSections('Firma'));
  expect(createHash('sha256').update(text).digest('hex')).toBe(TEXTS[AVV_FASSUNG]);
});
