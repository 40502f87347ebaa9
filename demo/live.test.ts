import { expect, it } from 'vitest';
import type { DemoEvent } from './call.ts';
import { runLive } from './live.ts';
import { HOUR } from './rhythm.ts';
import { BUSINESS, traffic, type World } from './traffic.ts';

/** Runs until the second time that everything is sent; returns what was sent and up to which instant. */
async function sendLive(world: World, von: number) {
  const sent: DemoEvent[] = [];
  const ending = new AbortController();
  const instants: number[] = [];
  const client = {
    send: async (events: readonly DemoEvent[]) => {
      sent.push(...events);
      return [];
    },
    counted: async () => sent.length,
    countedUntil: async () => Date.now(),
  };
  const live = runLive(client, world, von, ending.signal, (until) => {
    instants.push(until);
    if (instants.length === 2) ending.abort();
  });
  await expect(live).rejects.toThrow('abort');
  return { sent, until: instants.at(-1) ?? 0 };
}

it('sends the business since the last start, each event once, and the pulse of the present', async () => {
  const now = Date.now();
  const world = { seed: 'test', beginn: now };
  const von = now - 26 * HOUR;
  const { sent, until } = await sendLive(world, von);
  const ids = sent.map((event) => event.ereignis_id);
  expect(new Set(ids).size).toBe(ids.length);
  const business = [...traffic(world, BUSINESS, { von, bis: until })];
  expect(business.length).toBeGreaterThan(500);
  const missing = new Set(business.map((event) => event.ereignis_id)).difference(new Set(ids));
  expect(missing.size).toBe(0);
  const others = new Set(ids).difference(new Set(business.map((event) => event.ereignis_id)));
  const pulse = sent.filter((event) => others.has(event.ereignis_id));
  expect(pulse.every((event) => Date.parse(event.zeitpunkt) >= now - 1)).toBe(true);
  expect(pulse.every((event) => Date.parse(event.zeitpunkt) < until)).toBe(true);
});
