/** Calls that change after they were counted, beside the same calls counted as they then are. */
import { expect } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { GRAINS, type Grain } from '#domains/verbrauch/index.ts';
import { createCountingWorker, setRepeats } from '#domains/zaehlung/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, registerAccount } from './account.ts';
import { expectDays } from './day-totals.ts';
import { expectPieces } from './pieces.ts';
import type { TestService } from './service.ts';
import {
  keySumsOf,
  ratesOf,
  readCalls,
  readKeptValues,
  readKeySums,
  readRates,
  readSourceSums,
  readSums,
  sourceSumsOf,
  sumsOf,
} from './sums-by-dimension.ts';

/** Events of a batch. */
const MOST_AT_ONCE = 10_000;

export type SentCall = Record<string, unknown> & { ereignis_id: string; lauf_id?: string | null };

export interface Counting {
  /** Calls that are then repeats of their run. */
  repeats?: string[];
  substituteRate?: string;
  /** The price book they are counted by. */
  book?: object;
}

/** Makes an edition of the price book of an account that has `fassung` of them. */
export async function setBook(
  service: TestService,
  { cookie }: Account,
  book: object,
  fassung = 0,
): Promise<void> {
  const answer = await service.app.inject({
    method: 'PUT',
    url: '/v1/cockpit/preise',
    headers: { cookie },
    payload: { fassung, ...book },
  });
  expect(answer.statusCode, answer.body).toBe(200);
}

/** Calls counted by a Mandant of its own. */
export async function countAnew(
  service: TestService,
  owner: OwnerDatabase,
  sent: SentCall[],
  { repeats = [], substituteRate = '0.86', book }: Counting = {},
): Promise<Account> {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  if (book) await setBook(service, account, book);
  for (let from = 0; from < sent.length; from += MOST_AT_ONCE) {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: { ereignisse: sent.slice(from, from + MOST_AT_ONCE) },
    });
    expect(answer.statusCode, answer.body).toBe(202);
  }
  const { log } = service.context;
  await createCountingWorker({ db: owner, log, prices: createPriceList(), substituteRate }).drain();
  for (const run of new Set(sent.map(({ lauf_id }) => lauf_id))) {
    if (!run) continue;
    const own = sent.filter((each) => each.lauf_id === run && repeats.includes(each.ereignis_id));
    const ids = own.map(({ ereignis_id }) => ereignis_id);
    await owner.transaction((client) => setRepeats(client, account.mandantId, run, ids));
  }
  return account;
}

/** Everything that is kept of a Mandant's calls, without its name. */
export async function keptOf(service: TestService, { mandantId }: Account) {
  const mine = (table: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(table).flatMap(([key, value]) => {
        const [mandant, ...rest] = JSON.parse(key) as string[];
        return mandant === mandantId ? [[JSON.stringify(rest), value]] : [];
      }),
    );
  const sums: Record<string, unknown> = {};
  for (const grain of Object.keys(GRAINS) as Grain[]) sums[grain] = mine(await readSums(service.sql, grain));
  const runs = await service.sql(
    `SELECT lauf_id, aufrufe, fehler, unbepreist, teilbepreist, trim_scale(kosten_usd)::text AS usd, trim_scale(kosten_eur)::text AS eur,
       trim_scale(ersatz_eur)::text AS ersatz, trim_scale(verbranntes_geld_eur)::text AS verbrannt, status, beginn, ende
     FROM laeufe WHERE mandant_id = $1 ORDER BY lauf_id`,
    [mandantId],
  );
  const events = await service.sql(
    `SELECT ereignis_id, trim_scale(kurs_usd_eur)::text AS kurs, ersatzkurs, trim_scale(kosten_eur)::text AS eur, teilbepreist
     FROM ereignisse WHERE mandant_id = $1 ORDER BY ereignis_id`,
    [mandantId],
  );
  return { sums, rates: mine(await readRates(service.sql)), runs, events };
}

/** What calls that were taken back leave behind: rows of nothing, and when the last call of a row was. */
function leftBehind(table: Record<string, Record<string, unknown>>) {
  const known = Object.entries(table).map(([key, { letzter_aufruf_am: _, ...figures }]) => [key, figures]);
  return Object.fromEntries(
    known.filter(([, figures]) => Object.values(figures as object).some((each) => each !== '0')),
  );
}

/** The sums of everybody are what their events add up to; `compared` is left of both. */
export async function expectSumsOfEvents(
  service: TestService,
  compared: (table: Record<string, Record<string, unknown>>) => object = (table) => table,
): Promise<void> {
  const calls = await readCalls(service.sql);
  const expectSame = (is: object, must: object, what?: string) =>
    expect(compared(is as never), what).toEqual(compared(must as never));
  const kept = await readKeptValues(service.sql);
  for (const grain of Object.keys(GRAINS) as Grain[])
    expectSame(await readSums(service.sql, grain), sumsOf(calls, grain, kept), grain);
  await expectPieces(service, calls);
  await expectDays(service.sql, calls);
  expectSame(await readRates(service.sql), ratesOf(calls));
  expectSame(await readKeySums(service.sql), keySumsOf(calls));
  expectSame(await readSourceSums(service.sql), sourceSumsOf(calls));
}

/** … where calls were taken back. */
export const expectSumsAfterTakingBack = (service: TestService): Promise<void> =>
  expectSumsOfEvents(service, leftBehind);

/** The database, whose connection breaks at the given statement of its transactions. */
export function breaking(owner: OwnerDatabase, at: number): OwnerDatabase {
  let left = at;
  return {
    ...owner,
    query: owner.query.bind(owner),
    transaction: (work) =>
      owner.transaction((client) => {
        const query = client.query.bind(client) as (...given: unknown[]) => unknown;
        const broken = new Proxy(client, {
          get(target, name) {
            if (name !== 'query') return Reflect.get(target, name);
            return (...given: unknown[]) => {
              left -= 1;
              if (left < 0) return Promise.reject(new Error('the connection broke'));
              return query(...given);
            };
          },
        });
        return work(broken);
      }),
  } as OwnerDatabase;
}
