/** Signatures, checked by the reference library of Standard Webhooks. */
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { formerUntil, type Geheimnisse, renewed, webhookHeaders } from './signing.ts';

// The library compares with the clock of the machine.
const NOW = new Date();
const later = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
const BODY = '{"titel":"Grüße 🦊"}';

/** Whether the receiver with this secret takes it. */
const accepts = (geheimnis: string, headers: Record<string, string>, body = BODY) => {
  try {
    new Webhook(geheimnis).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};
test('what is signed is accepted; what was changed, or signed with another secret, is not', () => {
  const [first, other] = [renewed(null, NOW), renewed(null, NOW)];
  expect(first.aktuell).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const headers = webhookHeaders(first, 'msg_1', BODY, NOW);
  expect(headers['webhook-id']).toBe('msg_1');
  expect(accepts(first.aktuell, headers)).toBe(true);
  expect(accepts(other.aktuell, headers)).toBe(false);
  expect(accepts(first.aktuell, headers, `${BODY} `)).toBe(false);
  expect(accepts(first.aktuell, { ...headers, 'webhook-id': 'msg_2' })).toBe(false);
});

test('after a renewal both secrets are signed with for a day, then the new one alone', () => {
  const first = renewed(null, NOW);
  const second = renewed(first, NOW);
  expect(second.aktuell).not.toBe(first.aktuell);
  const headers = webhookHeaders(second, 'msg_1', BODY, NOW);
  for (const { aktuell } of [first, second]) expect(accepts(aktuell, headers)).toBe(true);
  expect(formerUntil(second, NOW)).toBe(later(24).toISOString());
  const signatures = (at: Date) => webhookHeaders(second, 'msg_1', BODY, at)['webhook-signature']?.split(' ');
  expect(signatures(later(23.9))).toHaveLength(2);
  expect(signatures(later(24))).toHaveLength(1);
  expect(formerUntil(second, later(24))).toBeNull();
});

test('renewed several times within a day, all of that day are signed with, as far as headers go', () => {
  const all = [renewed(null, NOW)];
  for (let nth = 0; nth < 8; nth += 1) all.push(renewed(all.at(-1) as Geheimnisse, NOW));
  const headers = webhookHeaders(all.at(-1) as Geheimnisse, 'msg_1', BODY, NOW);
  expect(all.map(({ aktuell }) => accepts(aktuell, headers))).toEqual([
    ...Array(3).fill(false),
    ...Array(6).fill(true),
  ]);
  const nextDay = renewed(all.at(-1) as Geheimnisse, later(25));
  expect(nextDay.frueher.map(({ geheimnis }) => geheimnis)).toEqual([all.at(-1)?.aktuell]);
});

test('without a secret nothing is signed, and the id is there', () => {
  expect(Object.keys(webhookHeaders(null, 'msg_1', BODY, NOW))).toEqual(['webhook-id', 'webhook-timestamp']);
});
