import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PATIENCE, startService, type TestService, withoutDatabase } from '#test/service.ts';

interface Tag {
  tag: string;
  ok_sekunden: number;
  eingeschraenkt_sekunden: number;
  gestoert_sekunden: number;
  unbekannt_sekunden: number;
}
interface Verlauf {
  zeit: string;
  zeitzone: string;
  komponenten: { name: string; tage: Tag[] }[];
  stoerungen: { name: string; status: string; von: string; bis: string | null }[];
}

let service: TestService;
beforeAll(async () => {
  service = await startService();
  // Ten hours and a half of a day in Berlin.
  service.clock.set('2026-11-02T09:30:00.000Z');
  await service.sql(
    `INSERT INTO zustand_spannen
     SELECT gen_random_uuid(), komponente, status, von::timestamptz, bis::timestamptz FROM (VALUES
       ('datenbank', 'ok', '2026-10-24T22:00:00Z', '2026-10-26T10:00:00.4Z'),
       ('datenbank', 'gestört', '2026-10-26T10:00:00.4Z', '2026-10-26T10:05:00Z'),
       ('datenbank', 'ok', '2026-10-26T10:05:00Z', '2026-10-26T23:00:00Z'),
       -- Another process that could not reach it, while the first one could.
       ('datenbank', 'gestört', '2026-10-26T10:04:00Z', '2026-10-26T10:06:00Z'),
       ('datenbank', 'ok', '2026-11-02T09:00:00Z', '2026-11-02T09:29:50Z'),
       ('kurse', 'eingeschränkt', '2026-11-01T00:00:00Z', '2026-11-02T09:29:55Z'),
       ('preise', 'gestört', '2026-08-04T00:00:00Z', '2026-08-04T21:59:00Z'),
       ('mail', 'gestört', '2026-11-02T12:00:00Z', '2026-11-02T13:00:00Z')
     ) AS n (komponente, status, von, bis)`,
  );
});
afterAll(() => service.stop());

const read = async (): Promise<Verlauf> => {
  const answer = await service.app.inject({ url: '/v1/status/verlauf' });
  expect(answer.statusCode).toBe(200);
  return answer.json();
};
const day = ({ komponenten }: Verlauf, name: string, tag: string) =>
  komponenten.find((each) => each.name === name)?.tage.find((each) => each.tag === tag);

describe('GET /v1/status/verlauf', () => {
  test('has 90 days of the zone of the installation, today the last; each adds up to its length', async () => {
    const { zeit, zeitzone, komponenten } = await read();
    expect([zeit, zeitzone]).toEqual(['2026-11-02T09:30:00.000Z', 'Europe/Berlin']);
    expect(komponenten.map(({ name }) => name)).toContain('datenbank');
    for (const { tage } of komponenten) {
      expect(tage).toHaveLength(90);
      expect([tage[0]?.tag, tage.at(-1)?.tag]).toEqual(['2026-08-05', '2026-11-02']);
      for (const each of tage) {
        const sum =
          each.ok_sekunden + each.eingeschraenkt_sekunden + each.gestoert_sekunden + each.unbekannt_sekunden;
        const hours = each.tag === '2026-10-25' ? 25 : each.tag === '2026-11-02' ? 10.5 : 24;
        expect(sum, each.tag).toBe(hours * 3_600);
      }
    }
  });

  test('counts the worst of what several saw, and nothing where nobody looked', async () => {
    const answer = await read();
    expect(day(answer, 'datenbank', '2026-10-25')).toMatchObject({
      ok_sekunden: 25 * 3_600,
      unbekannt_sekunden: 0,
    });
    expect(day(answer, 'datenbank', '2026-10-26')).toEqual({
      tag: '2026-10-26',
      ok_sekunden: 24 * 3_600 - 360,
      eingeschraenkt_sekunden: 0,
      gestoert_sekunden: 360,
      unbekannt_sekunden: 0,
    });
    expect(day(answer, 'datenbank', '2026-10-24')).toMatchObject({
      ok_sekunden: 0,
      unbekannt_sekunden: 86_400,
    });
  });

  test('tells what did not work, the latest first; what is older or still to come is not told', async () => {
    const { stoerungen } = await read();
    // The rates are not well now, either: there are none.
    expect(stoerungen).toMatchObject([
      { name: 'kurse', status: 'eingeschränkt', von: '2026-11-01T00:00:00.000Z', bis: null },
      {
        name: 'datenbank',
        status: 'gestört',
        von: '2026-10-26T10:00:00.000Z',
        bis: '2026-10-26T10:06:00.000Z',
        dauer_sekunden: 360,
        gestoert_sekunden: 360,
      },
    ]);
  });

  test('is the one last read, and with what was seen since, while the database is away', async () => {
    await withoutDatabase(service, async () => {
      const troubles = async () => (await read()).stoerungen.map(({ name, bis }) => [name, bis]);
      // It takes time to be away: a second of the clock that nobody can set.
      await expect.poll(async () => (await read()).komponenten.length, PATIENCE).toBeGreaterThan(2);
      expect(await troubles()).toContainEqual(['kurse', null]);
      expect(day(await read(), 'datenbank', '2026-10-26')).toMatchObject({ gestoert_sekunden: 360 });
    });
  });
});
