/** The job behind a look back: begun anew, ended on the way, and failing. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { ruleOf } from '#test/detectors/rules.ts';
import { ownerOf } from '#test/jobs.ts';
import { createProtected, equalCalls, type Protected } from '#test/protection.ts';
import { startService, type TestService } from '#test/service.ts';
import { runLookBack } from '../owner/run-rueckblick.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
let we: Protected;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});
beforeEach(async () => {
  we = await createProtected(service, owner);
  await we.send(equalCalls(8).calls);
  await we.settle();
});

const DAYS = 4;

async function put(status = 'wartet', zone = 'Europe/Berlin'): Promise<string> {
  const id = randomUUID();
  await service.sql(
    `INSERT INTO rueckblicke (mandant_id, rueckblick_id, regel, zeitzone, von, bis, status, tage_fertig, angelegt_am, laeuft_ab_am)
     VALUES ($1, $2, $3, $4, current_date - ${DAYS - 2}, current_date + 1, $5, 2, now(), now() + interval '1 hour')`,
    [we.mandant, id, JSON.stringify(ruleOf('schleife_exakt', { stufe: 'anhalten' })), zone, status],
  );
  return id;
}

const rowOf = async (id: string) => {
  const [row] = await service.sql<{
    status: string;
    tage_fertig: number;
    ergebnis: { befunde: number } | null;
  }>('SELECT status, tage_fertig, ergebnis FROM rueckblicke WHERE rueckblick_id = $1', [id]);
  return row;
};

const run = (id: string, db: OwnerDatabase = owner) => {
  const { log, clock } = service.context;
  return runLookBack({ owner: db, log, clock, prices: createPriceList() }, mandantId(we.mandant), id);
};

test('one that was under way when its process died is begun anew, one that is done is left alone', async () => {
  const id = await put('laeuft');
  expect(await run(id)).toBe('fertig');
  expect(await rowOf(id)).toMatchObject({ status: 'fertig', tage_fertig: DAYS, ergebnis: { befunde: 1 } });
  expect(await run(id)).toBe('weg');
});

test('one that is removed ends with the day it is at', async () => {
  const id = await put();
  let days = 0;
  const ending: OwnerDatabase = {
    ...owner,
    transaction: async (work) => {
      days += 1;
      if (days === 2) await service.sql('DELETE FROM rueckblicke WHERE rueckblick_id = $1', [id]);
      return owner.transaction(work);
    },
  };
  expect(await run(id, ending)).toBe('weg');
  expect([days, await rowOf(id)]).toEqual([2, undefined]);
});

test('what cannot be worked out is told', async () => {
  const id = await put('wartet', 'Nirgends/Stadt');
  expect(await run(id)).toBe('fehlgeschlagen');
  expect(await rowOf(id)).toMatchObject({ status: 'fehlgeschlagen', ergebnis: null });
});
