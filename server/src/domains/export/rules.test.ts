import { expect, test } from 'vitest';
import { fileNameOf, lastDays, slugOf } from './rules.ts';

test.each([
  ['Muster GmbH', 'muster-gmbh'],
  ['Müller & Söhne Straßenbau', 'mueller-soehne-strassenbau'],
  ['A\u0308pfel', 'aepfel'],
  ['Crème Brûlée', 'creme-brulee'],
  ['../../etc/passwd', 'etc-passwd'],
  ['a"; filename="b\r\nx: y', 'a-filename-b-x-y'],
  ['株式会社', ''],
  ['--', ''],
  [`${'a'.repeat(59)} b`, 'a'.repeat(59)],
])('%j becomes %j in a file name', (firma, slug) => {
  expect(slugOf(firma)).toBe(slug);
});

test('a file is named after the company and the day', () => {
  expect(fileNameOf('Muster GmbH', '2026-11-20')).toBe('zaehlwerk-export-muster-gmbh-2026-11-20.zip');
  expect(fileNameOf('株式会社', '2026-11-20')).toBe('zaehlwerk-export-2026-11-20.zip');
});

test('the last days are those of the time zone, today included', () => {
  const instant = Temporal.Instant.from('2026-10-25T23:30:00Z');
  expect(lastDays(1, instant, 'Europe/Berlin')).toEqual({
    first: '2026-10-26',
    begins: '2026-10-25T23:00:00Z',
    today: '2026-10-26',
  });
  // The clocks went back in between.
  expect(lastDays(2, instant, 'Europe/Berlin').begins).toBe('2026-10-24T22:00:00Z');
  expect(lastDays(90, instant, 'America/New_York')).toMatchObject({
    first: '2026-07-28',
    today: '2026-10-25',
  });
});
