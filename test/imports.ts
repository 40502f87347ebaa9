/** Imports, from the file to its receipt. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { importeJobs } from '#domains/importe/index.ts';
import { createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import { createRunner } from '#jobs/runner.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Account } from './account.ts';
import type { SentCall } from './counted-anew.ts';
import type { TestService } from './service.ts';

const IMPORTS = '/v1/cockpit/importe';
export const SHA256 = 'a3f1'.repeat(16);

const READ = { dienst: 'LiteLLM', sha256: SHA256, zeilen: 5, ausgelassen: [], kosten_usd: '1.25' };

/** Calls of the past, some seconds apart. */
export const pastCalls = (count: number, more: object = {}, begin = '2026-06-30T10:00:00Z'): SentCall[] =>
  Array.from({ length: count }, (_, index) => ({
    ereignis_id: randomUUID(),
    zeitpunkt: new Date(Date.parse(begin) + index * 1_000).toISOString(),
    agent: index % 2 === 0 ? 'a' : 'b',
    anbieter: 'openai',
    modell: 'gpt-4o-mini',
    eingabe_token: 1_000 + index,
    ausgabe_token: 10,
    ...more,
  }));

/** Asks as a user; the answer, whatever it is. */
export const askAs = (
  service: TestService,
  user: Account | null,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  payload?: object,
) =>
  service.app.inject({
    method,
    url: `${IMPORTS}${path}`,
    headers: { 'accept-language': 'en', ...(user ? { cookie: user.cookie } : {}) },
    ...(payload ? { payload } : {}),
  });

/** … which must succeed. */
export async function ask(...given: Parameters<typeof askAs>) {
  const answer = await askAs(...given);
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.json();
}

/** Hands in the calls of a file, in parts of this size; resolves with what is known of it then. */
export async function readFile(
  service: TestService,
  account: Account,
  schluessel_id: string,
  { calls, part = 500, read = {} }: { calls: SentCall[]; part?: number; read?: object },
) {
  const begun = await ask(service, account, 'POST', '', {
    datei: 'spend.csv',
    groesse: 9_000,
    schluessel_id,
  });
  for (let nr = 1; (nr - 1) * part < calls.length; nr += 1)
    await ask(service, account, 'PUT', `/${begun.import_id}/teile/${nr}`, {
      ereignisse: calls.slice((nr - 1) * part, nr * part),
    });
  return ask(service, account, 'POST', `/${begun.import_id}/abschliessen`, { ...READ, ...read });
}

/** Counts and works on imports, side by side, until nothing is left to do. */
export async function workOnImports(
  service: TestService,
  owner: OwnerDatabase,
  jobsBy = owner,
): Promise<void> {
  const { clock, context } = service;
  const jobs = importeJobs({ owner: jobsBy, clock, log: context.log });
  const runner = createRunner({ jobs, db: owner, log: context.log, observe: () => undefined });
  const worker = createCountingWorker({
    db: owner,
    log: context.log,
    prices: createPriceList(),
    substituteRate: '0.86',
  });
  let isOver = false;
  const counting = (async () => {
    while (!isOver) {
      await worker.drain();
      await delay(5);
    }
  })();
  await runner.runDue();
  isOver = true;
  await counting;
  await runner.stop();
}

/** Confirms an import and has it counted; resolves with its receipt. */
export async function applyImport(service: TestService, owner: OwnerDatabase, account: Account, id: string) {
  await ask(service, account, 'POST', `/${id}/anwenden`);
  await workOnImports(service, owner);
  return ask(service, account, 'GET', `/${id}`);
}

/** Has an import taken back; resolves with what came of it. */
export async function undoImport(service: TestService, owner: OwnerDatabase, account: Account, id: string) {
  await ask(service, account, 'POST', `/${id}/zuruecknehmen`);
  await workOnImports(service, owner);
  return ask(service, account, 'GET', `/${id}`);
}
