/** Past calls priced anew: to the last digit what a fresh count with the new prices comes to. */

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import { createRunner } from '#jobs/runner.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey } from '#test/account.ts';
import {
  breaking,
  countAnew,
  expectSumsOfEvents,
  keptOf,
  type SentCall,
  setBook,
} from '#test/counted-anew.ts';
import { onCluster } from '#test/database.ts';
import { isWhole } from '#test/depth.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
import { ownerOf } from '#test/jobs.ts';
import { PATIENCE, startService, type TestService } from '#test/service.ts';
import { workOn } from '../owner/work.ts';
import { NEU_BEPREISEN, rechnenJob } from './rechnen.ts';

let service: TestService;
let owner: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});

const list = createPriceList();
const PATH = '/v1/cockpit/preise/neubepreisungen';
const DAYS = { von: '2026-06-29', bis: '2026-07-03' };

async function ask(account: Account, path: string, payload?: object) {
  const headers = { cookie: account.cookie };
  const answer = await service.app.inject({
    method: payload ? 'POST' : 'GET',
    url: `${PATH}${path}`,
    headers,
    ...(payload ? { payload } : {}),
  });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.json();
}

/** Works on it until nothing is left to do. */
async function work(db = owner): Promise<void> {
  const { clock, context } = service;
  const jobs = [rechnenJob({ owner: db, clock, log: context.log }, list)];
  const runner = createRunner({ jobs, db: owner, log: context.log, observe: () => undefined });
  await runner.runDue();
  await runner.stop();
}

/** What would change, worked out. */
async function preview(account: Account, days: object = DAYS) {
  const { neubepreisung_id } = await ask(account, '', days);
  await work();
  return ask(account, `/${neubepreisung_id}`);
}

async function apply(account: Account, id: string) {
  await ask(account, `/${id}/anwenden`, {});
  await work();
  return ask(account, `/${id}`);
}

const RUNS = [randomUUID(), randomUUID(), randomUUID()];
const call: fc.Arbitrary<SentCall> = fc.record({
  ereignis_id: fc.uuid({ version: 4 }),
  zeitpunkt: fc
    .tuple(fc.constantFrom('29', '30'), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 999_999 }))
    .map(([day, hour, micros]) => {
      const clock = `${String(hour).padStart(2, '0')}:59:00.${String(micros).padStart(6, '0')}`;
      return `2026-06-${day}T${clock}Z`;
    }),
  agent: fc.constantFrom('a/x', 'b'),
  anbieter: fc.constantFrom('openai', null),
  modell: fc.constantFrom('gpt-4o-mini', 'gpt-4o', 'eigenes', 'whisper-1'),
  status: fc.constantFrom('erfolgreich', 'erfolgreich', 'fehler'),
  geschaetzt: fc.boolean(),
  lauf_id: fc.constantFrom(null, ...RUNS),
  eingabe_token: fc.option(fc.integer({ min: 0, max: 1_000_000 })),
  ausgabe_token: fc.option(fc.integer({ min: 0, max: 10_000 })),
  zusatz: fc.constantFrom(
    null,
    { gemeldete_kosten_usd: '0.0001234567890123456789' },
    { preisstufe: 'batch' },
    { preisstufe: 'warp' },
    { sekunden: '12.5' },
  ),
});

const rate = fc.constantFrom('0', '0.1', '2.5', '0.000000000000001', '999999.999999999999999');
const book = fc.record({
  gemeldete_kosten: fc.boolean(),
  preise: fc.uniqueArray(
    fc.record({
      modell: fc.constantFrom('gpt-4o*', 'gpt-4o-mini', 'eigenes', '*', 'whisper-1'),
      gilt_ab: fc.constantFrom(null, '2026-06-30'),
      saetze: fc.oneof(
        fc.record({ eingabe: rate, ausgabe: rate }),
        fc.record({ sekunde: rate, aufruf: rate }),
      ),
    }),
    { maxLength: 3, selector: ({ modell }) => modell },
  ),
  rabatte: fc.constantFrom([], [{ anbieter: 'openai', prozent: '33.3333' }]),
});

test('comes to what a fresh count with the new prices does, wherever it was interrupted', {
  timeout: fuzzTime(),
}, async () => {
  const calls = fc.uniqueArray(call, { minLength: 1, maxLength: 25, selector: (each) => each.ereignis_id });
  const property = fc.asyncProperty(calls, book, book, fc.nat(40), fc.nat(), async (...given) => {
    const [sent, before, after, at, pick] = given;
    const repeats = sent.filter((_, index) => (index + pick) % 3 === 0).map((each) => each.ereignis_id);
    const account = await countAnew(service, owner, sent, { repeats, book: before });
    const fresh = await countAnew(service, owner, sent, { repeats, book: after });
    const { fassung } = (
      await service.app.inject({ url: '/v1/cockpit/preise', headers: { cookie: account.cookie } })
    ).json();
    await setBook(service, account, after, fassung);
    const untouched = await keptOf(service, account);
    const would = await preview(account);
    expect(would).toMatchObject({ status: 'bereit', ereignisse: sent.length, gelesen: sent.length });
    expect(await keptOf(service, account)).toEqual(untouched);
    await ask(account, `/${would.neubepreisung_id}/anwenden`, {});
    const broken = breaking(owner, at);
    const context = { owner: broken, clock: service.clock, list };
    await workOn(context, mandantId(account.mandantId), would.neubepreisung_id).catch(() => null);
    await expectSumsOfEvents(service);
    await work();
    const did = await ask(account, `/${would.neubepreisung_id}`);
    expect(did.status).toBe('fertig');
    // What was announced is what came.
    for (const name of ['geaendert', 'alt_usd', 'neu_usd', 'differenz_eur', 'unbepreist', 'zeilen'])
      expect(did[name], name).toEqual(would[name]);
    expect(await keptOf(service, account)).toEqual(await keptOf(service, fresh));
    await expectSumsOfEvents(service);
    expect(await preview(account)).toMatchObject({ status: 'bereit', geaendert: 0, zeilen: [] });
  });
  await fc.assert(property, { numRuns: fuzzRuns(4) });
});

const many = (count: number, more: object = {}): SentCall[] =>
  Array.from({ length: count }, (_, index) => ({
    ereignis_id: randomUUID(),
    zeitpunkt: `2026-06-30T10:00:00.${String(index).padStart(6, '0')}Z`,
    agent: index % 2 === 0 ? 'a' : 'b',
    anbieter: 'openai',
    modell: 'gpt-4o-mini',
    lauf_id: RUNS[index % 2] as string,
    eingabe_token: 1_000_000,
    ausgabe_token: 0,
    ...more,
  }));
const own = (eingabe: string) => ({ preise: [{ modell: 'gpt-4o-mini', saetze: { eingabe, ausgabe: '0' } }] });

describe('a repricing', () => {
  test('ends where it is when the price book changes or somebody ends it; what is counted meanwhile has the new price', async () => {
    const account = await countAnew(service, owner, many(10));
    await setBook(service, account, own('1'));
    const { neubepreisung_id } = await preview(account);
    await ask(account, `/${neubepreisung_id}/anwenden`, {});
    await setBook(service, account, own('2'), 1);
    await work();
    expect(await ask(account, `/${neubepreisung_id}`)).toMatchObject({
      status: 'abgebrochen',
      grund: 'preise_geaendert',
      gelesen: 0,
    });
    const next = await preview(account);
    const { secret } = await createKey(service, account);
    await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: { ereignisse: many(5) },
    });
    await ask(account, `/${next.neubepreisung_id}/anwenden`, {});
    const { log } = service.context;
    await Promise.all([
      work(),
      createCountingWorker({ db: owner, log, prices: list, substituteRate: '0.86' }).drain(),
    ]);
    const costs = await service.sql(
      'SELECT DISTINCT trim_scale(kosten_usd)::text AS usd, count(*)::int AS n FROM ereignisse WHERE mandant_id = $1 GROUP BY 1',
      [account.mandantId],
    );
    expect(costs).toEqual([{ usd: '2', n: 15 }]);
    await expectSumsOfEvents(service);
  });

  test('that a fault ends says so, and another one can be asked for', async () => {
    const account = await countAnew(service, owner, many(3));
    // As a version that is gone might have left it.
    await service.sql(
      `INSERT INTO preisbuecher (mandant_id, fassung, inhalt, erstellt_am) VALUES ($1, 1, '{"preise": 1}', now())`,
      [account.mandantId],
    );
    const { neubepreisung_id } = await ask(account, '', DAYS);
    await work();
    expect(await ask(account, `/${neubepreisung_id}`)).toMatchObject({
      status: 'fehlgeschlagen',
      gelesen: 0,
      beendet_am: expect.any(String),
    });
    await service.sql('DELETE FROM preisbuecher WHERE mandant_id = $1', [account.mandantId]);
    expect(await preview(account)).toMatchObject({ status: 'bereit', gelesen: 3 });
  });

  test('that was tried too often has failed, and another one can be asked for', async () => {
    const account = await countAnew(service, owner, many(3));
    await setBook(service, account, own('1'));
    const { neubepreisung_id } = await preview(account);
    await ask(account, `/${neubepreisung_id}/anwenden`, {});
    await service.sql('UPDATE auftraege SET versuche = $2 WHERE mandant_id = $1', [
      account.mandantId,
      NEU_BEPREISEN.retry.attempts,
    ]);
    await work();
    expect(await ask(account, `/${neubepreisung_id}`)).toMatchObject({
      status: 'fehlgeschlagen',
      gelesen: 0,
      geaendert: 0,
      beendet_am: expect.any(String),
    });
    expect(await preview(account)).toMatchObject({ status: 'bereit', geaendert: 3 });
  });

  // A cluster waits on its workers, where this does not look.
  const here = test.skipIf(onCluster());
  here('goes on when it had to give way to somebody who wanted the same rows in another order', async () => {
    const account = await countAnew(service, owner, many(3));
    await setBook(service, account, own('1'));
    const { neubepreisung_id } = await preview(account);
    const waiting = () =>
      service.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
    let applied: Promise<unknown> | null = null;
    await owner.transaction(async (client) => {
      await client.query('SELECT FROM laeufe WHERE mandant_id = $1 FOR UPDATE', [account.mandantId]);
      applied = apply(account, neubepreisung_id);
      await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), { ...PATIENCE, interval: 10 });
      // PostgreSQL ends whose turn it is to look: the repricing, unless a second has passed since it began to wait.
      await client
        .query('SELECT FROM zaehlstaende WHERE mandant_id = $1 FOR UPDATE', [account.mandantId])
        .catch((error: { code?: string }) => expect(error.code).toBe('40P01'));
    });
    expect(await applied).toMatchObject({ status: 'fertig', geaendert: 3 });
    await expectSumsOfEvents(service);
  });

  test('is worked out while somebody else holds the lock of counting', async () => {
    const account = await countAnew(service, owner, many(3));
    await setBook(service, account, own('1'));
    const { neubepreisung_id } = await ask(account, '', DAYS);
    await owner.transaction(async (client) => {
      await client.query('SELECT FROM zaehlstaende WHERE mandant_id = $1 FOR UPDATE', [account.mandantId]);
      await work();
    });
    expect(await ask(account, `/${neubepreisung_id}`)).toMatchObject({ status: 'bereit', geaendert: 3 });
  });

  test('takes local days, the last one not', async () => {
    const at = (zeitpunkt: string) => many(1, { zeitpunkt })[0] as SentCall;
    const account = await countAnew(
      service,
      owner,
      [
        '2026-06-29T21:59:59.999999Z',
        '2026-06-29T22:00:00Z',
        '2026-06-30T21:59:59Z',
        '2026-06-30T22:00:00Z',
      ].map(at),
    );
    await setBook(service, account, own('1'));
    const would = await preview(account, { von: '2026-06-30', bis: '2026-07-01' });
    expect(would).toMatchObject({ ereignisse: 2, gelesen: 2, geaendert: 2 });
    await apply(account, would.neubepreisung_id);
    const costs = await service.sql(
      'SELECT trim_scale(kosten_usd)::text AS usd FROM ereignisse WHERE mandant_id = $1 ORDER BY zeitpunkt',
      [account.mandantId],
    );
    expect(costs.map(({ usd }) => usd)).toEqual(['0.15', '1', '1', '0.15']);
  });

  // The last one, since others add up all that there is. `jobs/ersatzkurse-ersetzen` of `zaehlung` goes on in the same way.
  test.runIf(isWhole)(
    'goes on beyond what one transaction takes, and says by month and agent what it changed',
    async () => {
      const account = await countAnew(service, owner, many(20_100));
      await setBook(service, account, own('0.25'));
      const would = await preview(account);
      const figures = (calls: number) => ({
        geaendert: calls,
        alt_usd: String((calls * 15) / 100),
        neu_usd: String((calls * 25) / 100),
        differenz_eur: String((calls * 86) / 1_000),
        unbepreist: 0,
      });
      expect(would).toMatchObject({ ...figures(20_100), gelesen: 20_100, weiter: null });
      expect(would.zeilen).toEqual([
        { monat: '2026-06', agent: 'a', ...figures(10_050) },
        { monat: '2026-06', agent: 'b', ...figures(10_050) },
      ]);
      const did = await apply(account, would.neubepreisung_id);
      expect(did).toMatchObject({ status: 'fertig', zeilen: would.zeilen, angewendet_von: account.email });
      const fresh = await countAnew(service, owner, many(20_100), { book: own('0.25') });
      const [ours, theirs] = [await keptOf(service, account), await keptOf(service, fresh)];
      expect(ours.sums).toEqual(theirs.sums);
      expect(ours.runs).toEqual(theirs.runs);
      const entries = await service.sql(
        `SELECT aktion, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion LIKE 'neubepreisung.%' ORDER BY eintrag_id`,
        [account.mandantId],
      );
      expect(entries).toEqual([
        { aktion: 'neubepreisung.angelegt', nachher: { von: DAYS.von, bis: DAYS.bis, fassung: 1 } },
        {
          aktion: 'neubepreisung.begonnen',
          nachher: { geaendert: 20_100, differenz_eur: '1728.6', fassung: 1 },
        },
        { aktion: 'neubepreisung.fertig', nachher: { geaendert: 20_100, differenz_eur: '1728.6' } },
      ]);
    },
  );
});
