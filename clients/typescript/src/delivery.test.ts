import { expect, test } from 'vitest';
import { backoffMs, deliveryOf, retryAfterOf } from './delivery.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

test.each([
  ['7', 7_000],
  ['0', 0],
  ['Thu, 01 Jan 2026 00:00:05 GMT', 5_000],
  ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
  ['86400', 600_000],
  ['soon', null],
  [null, null],
])('Retry-After %s is %s ms', (header, ms) => {
  expect(retryAfterOf(header, now)).toBe(ms);
});

test('backoff stays in its bounds, and never comes before what the service asked', () => {
  for (let i = 0; i < 100; i++) {
    expect(backoffMs(1_000, false)).toBeGreaterThanOrEqual(500);
    expect(backoffMs(1_000, false)).toBeLessThanOrEqual(1_000);
    expect(backoffMs(1e12, false)).toBeLessThanOrEqual(30_000);
    expect(backoffMs(1_000, true)).toBeGreaterThanOrEqual(1_000);
    expect(backoffMs(1_000, true)).toBeLessThanOrEqual(1_100);
  }
});

test.each([
  [202, 'accepted'],
  [409, 'retry'],
  [421, 'retry'],
  [429, 'retry'],
  [500, 'retry'],
  [400, 'refused'],
  [401, 'refused'],
  [413, 'refused'],
])('HTTP %i is %s', async (status, kind) => {
  expect(await deliveryOf(new Response('{}', { status }))).toMatchObject({ kind, faulty: [] });
});

test('a 422 names its faulty events; one that names none is refused whole', async () => {
  const refusal = (body: string) => deliveryOf(new Response(body, { status: 422 }));
  const detail = [{ loc: ['body', 'ereignisse', 3, 'status'] }, { loc: ['header', 'idempotency-key'] }, {}];
  expect(await refusal(JSON.stringify({ detail }))).toMatchObject({ kind: 'refused', faulty: [3] });
  expect(await refusal('<html>')).toMatchObject({ kind: 'refused', faulty: [] });
});
