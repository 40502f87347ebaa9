/** What stands between a batch and what protection does about it, step by step and without a clock. */

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Regeltyp } from '#contracts';
import { createLookout } from '#domains/detektoren/index.ts';
import { wiederholungenJob } from '#domains/detektoren/jobs/wiederholungen.ts';
import { RunMemory } from '#domains/laeufe/index.ts';
import { createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker, createMarkConsumer } from '#domains/zaehlung/index.ts';
import { werteFuehrenJob } from '#domains/zaehlung/jobs/werte-fuehren.ts';
import { createRunner } from '#jobs/runner.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { MEMORY } from '#platform/memory.ts';
import { type Account, createKey, registerAccount } from './account.ts';
import type { TestService } from './service.ts';

export interface Protected {
  account: Account;
  mandant: string;
  /** The secret of a key that may send and read. */
  key: string;
  /** A rule as the form would make it, in force unless said otherwise; resolves with its id. */
  addRule(typ: Regeltyp, change?: Record<string, unknown>): Promise<string>;
  send(ereignisse: object[]): Promise<Record<string, unknown>>;
  /** Counts what was sent, and looks at it. */
  settle(): Promise<void>;
  rows(table: string, columns: string): Promise<Record<string, unknown>[]>;
}

export async function createProtected(service: TestService, owner: OwnerDatabase): Promise<Protected> {
  const account = await registerAccount(service);
  const mandant = account.mandantId;
  const { secret: key } = await createKey(service, account);
  const { log } = service.context;
  const { clock } = service;
  const runs = new RunMemory(MEMORY.runs);
  const handlers = [createLookout({ log, now: clock.now, runs })];
  return {
    account,
    mandant,
    key,
    async addRule(typ, change = {}) {
      const answer = await service.app.inject({
        method: 'POST',
        url: '/v1/cockpit/regeln',
        headers: { cookie: account.cookie },
        payload: { typ, schattenbetrieb: false, ...change },
      });
      expect([answer.statusCode, answer.json().detail]).toEqual([201, undefined]);
      return answer.json().regel_id;
    },
    async send(ereignisse) {
      const answer = await service.app.inject({
        method: 'POST',
        url: '/v1/ereignisse',
        headers: { authorization: `Bearer ${key}` },
        payload: { ereignisse },
      });
      expect(answer.statusCode).toBe(202);
      return answer.json();
    },
    async settle() {
      const counting = { db: owner, log, prices: createPriceList(), substituteRate: '0.5', runs };
      await createCountingWorker(counting).drain();
      const marks = createMarkConsumer({ db: owner, log, handlers });
      await marks.drain();
      const jobs = [wiederholungenJob({ owner, clock }), werteFuehrenJob({ owner })];
      const runner = createRunner({ jobs, db: owner, log, observe: () => undefined });
      await runner.runDue();
      await runner.stop();
      // Of what had no running sums before.
      await marks.drain();
    },
    rows: (table, columns) =>
      service.sql(`SELECT ${columns} FROM ${table} WHERE mandant_id = $1 ORDER BY 1, 2`, [mandant]),
  };
}

/**
 * Calls of a run that goes round in circles: all alike, a second apart, each with a token more of what was said, at 0.075 EUR each. `change`
 * says what is different, by place from 0.
 */
export function equalCalls(
  count: number,
  { lauf = randomUUID() as string, from = 0, begin = Date.now() - 60_000, agent = 'support/triage' } = {},
  change: (place: number) => object = () => ({}),
): { lauf: string; calls: object[] } {
  const calls = Array.from({ length: count }, (_, index) => {
    const place = from + index;
    return {
      ereignis_id: randomUUID(),
      lauf_id: lauf,
      schritt_nr: place + 1,
      zeitpunkt: new Date(begin + place * 1_000).toISOString(),
      agent,
      anbieter: 'openai',
      modell: 'gpt-4o-mini',
      // Two tokens from the cache cost as much as one that is not.
      eingabe_token: 1_000_000 + place,
      cache_lese_token: 2 * place,
      ausgabe_token: 0,
      prompt_fingerabdruck: '00000000000000ff',
      werkzeug_fingerabdruck: '0000000000000001',
      ...change(place),
    };
  });
  return { lauf, calls };
}
