/** Whatever the window and the grouping, the sums are those of the hours in the window, and stay with their Mandant. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { hourStart, toUtc } from '#kernel/zeitraum.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { addConsumption, type Consumption } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import { readGroups, rowsByDay } from './store.ts';

const ZONE = 'Europe/Berlin';
/** The days around the end of summer time. */
const FROM = Date.UTC(2026, 9, 23);
const TO = Date.UTC(2026, 9, 28);
const SCALE = 12;

let service: TestService;
let mandanten: { account: Account; secret: string; rows: Consumption[] }[];

const scaled = (decimal: string): bigint => {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(SCALE, '0'));
};

const consumption = fc
  .record({
    ms: fc.integer({ min: FROM, max: TO }),
    agent: fc.constantFrom('a', 'b', 'c'),
    endkunde: fc.constantFrom('', 'k1', 'k2'),
    modell: fc.constantFrom('', 'm1'),
    aufrufe: fc.integer({ min: 1, max: 50 }),
    cost: fc.option(fc.bigInt({ min: 0n, max: 10n ** 24n })),
  })
  .map(({ ms, cost, ...rest }): Consumption => {
    const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(ZONE);
    const digits = cost?.toString().padStart(SCALE + 1, '0');
    return {
      ...rest,
      stunde: toUtc(hourStart(local)),
      tag: local.toPlainDate().toString(),
      kosten_eur: digits ? `${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}` : null,
    };
  });

const consumptions = fc.uniqueArray(consumption, {
  minLength: 150,
  maxLength: 200,
  selector: (row) => [row.stunde, row.agent, row.endkunde, row.modell].join(),
});

beforeAll(async () => {
  service = await startService();
  const samples = fc.sample(consumptions, { numRuns: 2, seed: 7 });
  mandanten = [];
  for (const rows of samples) {
    const account = await registerAccount(service);
    await addConsumption(service, account.mandantId, rows);
    mandanten.push({ account, rows, secret: (await createKey(service, account)).secret });
  }
});
afterAll(() => service.stop());

/** What the hours of the window sum up to. */
function expected(rows: Consumption[], von: string, bis: string) {
  const inside = rows.filter(({ stunde }) => stunde >= von && stunde < bis);
  const priced = inside.flatMap(({ kosten_eur }) => (kosten_eur ? [scaled(kosten_eur)] : []));
  return {
    aufrufe: inside.reduce((sum, row) => sum + Number(row.aufrufe), 0),
    cost: priced.length > 0 ? priced.reduce((sum, cost) => sum + cost, 0n) : null,
  };
}

const sumOf = (costs: (string | null)[]) => {
  const known = costs.flatMap((cost) => (cost === null ? [] : [scaled(cost)]));
  return known.length > 0 ? known.reduce((sum, cost) => sum + cost, 0n) : null;
};

test('every grouping of every window sums up to its hours', async () => {
  const hour = fc.integer({ min: FROM / 3_600_000, max: TO / 3_600_000 });
  const window = fc.tuple(hour, hour).filter(([von, bis]) => von < bis);
  const gruppe = fc.constantFrom('agent', 'endkunde', 'modell', 'tag', 'stunde');
  await fc.assert(
    fc.asyncProperty(window, gruppe, fc.integer({ min: 0, max: 1 }), async (hours, group, index) => {
      const [von, bis] = hours.map((value) => new Date(value * 3_600_000).toISOString()) as [string, string];
      const { secret, rows } = mandanten[index] as (typeof mandanten)[number];
      const answer = await service.app.inject({
        method: 'GET',
        url: `/v1/api/verbrauch?gruppe=${group}&von=${von}&bis=${bis}`,
        headers: { authorization: `Bearer ${secret}` },
      });
      expect(answer.statusCode).toBe(200);
      const { zeilen, summe } = answer.json();
      const truth = expected(rows, von, bis);
      expect(summe.aufrufe).toBe(truth.aufrufe);
      expect(sumOf([summe.kosten_eur])).toBe(truth.cost);
      expect(sumOf(zeilen.map((zeile: { kosten_eur: string | null }) => zeile.kosten_eur))).toBe(truth.cost);
    }),
    { numRuns: 150 },
  );
});

test('a statement that names no Mandant sees the one of its transaction, and nothing without one', async () => {
  const days = rowsByDay([{ tabelle: 'tag', von: '2026-10-01', bis: '2026-11-01' }]);
  for (const { account, rows } of mandanten) {
    const groups = await service.context.db.forMandant(mandantId(account.mandantId), (tx) =>
      readGroups(tx, days, 'agent'),
    );
    expect(Number(groups.at(-1)?.aufrufe)).toBe(rows.reduce((sum, row) => sum + Number(row.aufrufe), 0));
  }
  for (const table of ['verbrauch_tag', 'verbrauch_stunde', 'laeufe', 'ereignisse', 'agenten', 'eingang']) {
    const unbound = await service.context.db.transaction((client) => client.query(`SELECT FROM ${table}`));
    expect(unbound.rowCount).toBe(0);
  }
});
