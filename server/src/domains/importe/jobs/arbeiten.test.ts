/** What imports count and take back: to the last digit what counting the same calls comes to, and nothing that others told of. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, type Key, registerAccount } from '#test/account.ts';
import { breaking, countAnew, expectSumsAfterTakingBack, keptOf, type SentCall } from '#test/counted-anew.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
import { applyImport, ask, pastCalls, readFile, undoImport, workOnImports } from '#test/imports.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { giveUp, workOn } from '../owner/work.ts';

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

async function newAccount(): Promise<{ account: Account; key: Key }> {
  const account = await registerAccount(service);
  return { account, key: await createKey(service, account) };
}

/** Sends calls as a program does, and counts them. */
async function send({ secret }: Key, calls: SentCall[]): Promise<void> {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: { ereignisse: calls },
  });
  expect(answer.statusCode, answer.body).toBe(202);
  const { log } = service.context;
  await createCountingWorker({ db: owner, log, prices: createPriceList(), substituteRate: '0.86' }).drain();
}

const idsOf = async ({ mandantId: mandant }: Account) =>
  (
    await service.sql<{ ereignis_id: string }>('SELECT ereignis_id FROM ereignisse WHERE mandant_id = $1', [
      mandant,
    ])
  )
    .map(({ ereignis_id }) => ereignis_id)
    .sort();
const sorted = (...calls: SentCall[]) => calls.map(({ ereignis_id }) => ereignis_id).sort();

const RUNS = [randomUUID(), randomUUID()];
const calls = fc
  .array(
    fc.record({
      lauf_id: fc.constantFrom(null, ...RUNS),
      agent: fc.constantFrom('a/x', 'b'),
      modell: fc.constantFrom('gpt-4o-mini', 'eigenes'),
      status: fc.constantFrom('erfolgreich', 'fehler'),
      minute: fc.nat(3_000),
      eingabe_token: fc.option(fc.nat(100_000)),
      ausgabe_token: fc.option(fc.nat(10_000)),
      endkunde_ref: fc.constantFrom(null, 'k'),
      von: fc.constantFrom('datei', 'datei', 'davor', 'danach'),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((each) =>
    each.map(({ minute, von, ...call }) => ({
      von,
      call: {
        ...call,
        ereignis_id: randomUUID(),
        anbieter: 'openai',
        zeitpunkt: new Date(Date.parse('2026-06-29T00:00:00Z') + minute * 60_000).toISOString(),
      } as SentCall,
    })),
  );

test('what is imported is counted as if it was sent, what is taken back as if it never was; wherever it broke', {
  timeout: fuzzTime(),
}, async () => {
  const property = fc.asyncProperty(
    calls,
    fc.integer({ min: 1, max: 9 }),
    fc.nat(30),
    async (all, part, at) => {
      const of = (...kinds: string[]) => all.filter(({ von }) => kinds.includes(von)).map(({ call }) => call);
      const before = of('davor');
      const account = await countAnew(service, owner, before);
      const key = await createKey(service, account);
      const { import_id } = await readFile(service, account, key.schluesselId, {
        calls: all.map(({ call }) => call),
        part,
      });
      await ask(service, account, 'POST', `/${import_id}/anwenden`);
      const context = { clock: service.clock };
      await workOn({ ...context, owner: breaking(owner, at) }, mandantId(account.mandantId), import_id).catch(
        () => null,
      );
      await workOnImports(service, owner);
      expect(await ask(service, account, 'GET', `/${import_id}`)).toMatchObject({
        status: 'fertig',
        aufrufe: all.length,
        bekannt: before.length,
        gezaehlt: all.length,
        schon_da: before.length,
        abgewiesen: 0,
        angenommen: all.length - before.length,
      });
      await expectSumsAfterTakingBack(service);
      const whole = await countAnew(
        service,
        owner,
        all.map(({ call }) => call),
      );
      expect((await keptOf(service, account)).events).toEqual((await keptOf(service, whole)).events);
      const after = of('danach');
      if (after.length > 0) await send(key, after);
      const stays = [...before, ...after];
      const taken = all.length - stays.length;
      if (taken === 0) return;
      await ask(service, account, 'POST', `/${import_id}/zuruecknehmen`);
      await workOn({ ...context, owner: breaking(owner, at) }, mandantId(account.mandantId), import_id).catch(
        () => null,
      );
      await workOnImports(service, owner);
      expect(await ask(service, account, 'GET', `/${import_id}`)).toMatchObject({
        status: 'zurueckgenommen',
        zurueckgenommen: taken,
        geblieben: 0,
      });
      await expectSumsAfterTakingBack(service);
      const never = await countAnew(service, owner, stays);
      const [left, right] = [await keptOf(service, account), await keptOf(service, never)];
      expect(left.events).toEqual(right.events);
      expect(left.runs).toEqual(right.runs);
    },
  );
  await fc.assert(property, { numRuns: fuzzRuns(4) });
});

test('a second import of a file counts nothing, and taking it back takes nothing', async () => {
  const { account, key } = await newAccount();
  const file = pastCalls(7);
  const first = await readFile(service, account, key.schluesselId, { calls: file });
  await applyImport(service, owner, account, first.import_id);
  const second = await readFile(service, account, key.schluesselId, { calls: file });
  expect(second.bekannt).toBe(7);
  expect(await applyImport(service, owner, account, second.import_id)).toMatchObject({
    angenommen: 0,
    schon_da: 7,
    zuruecknehmbar: 0,
  });
  expect(await undoImport(service, owner, account, first.import_id)).toMatchObject({ zurueckgenommen: 7 });
  expect(await idsOf(account)).toEqual([]);
  const third = await readFile(service, account, key.schluesselId, { calls: file });
  expect(third.bekannt).toBe(0);
  expect(await applyImport(service, owner, account, third.import_id)).toMatchObject({ angenommen: 7 });
});

test('a call that a program tells of while it is imported stays, whichever of them is counted first', async () => {
  const { account, key } = await newAccount();
  const file = pastCalls(6);
  const { import_id } = await readFile(service, account, key.schluesselId, { calls: file, part: 2 });
  await ask(service, account, 'POST', `/${import_id}/anwenden`);
  const told = [file[0], file[5]] as SentCall[];
  await Promise.all([workOnImports(service, owner), send(key, told)]);
  const receipt = await ask(service, account, 'GET', `/${import_id}`);
  expect(receipt.angenommen + receipt.schon_da).toBe(6);
  expect(receipt.zuruecknehmbar).toBe(4);
  await undoImport(service, owner, account, import_id);
  expect(await idsOf(account)).toEqual(sorted(...told));
  await expectSumsAfterTakingBack(service);
});

test('what is in a closed month stays, and it is said how much', async () => {
  const { account, key } = await newAccount();
  service.clock.set('2026-08-03T10:00:00.000Z');
  const june = pastCalls(3, {}, '2026-06-30T20:00:00Z');
  const july = pastCalls(2, {}, '2026-07-05T10:00:00Z');
  // Local midnight is before that of UTC.
  const edge = pastCalls(1, {}, '2026-06-30T22:30:00Z');
  const { import_id } = await readFile(service, account, key.schluesselId, {
    calls: [...june, ...july, ...edge],
  });
  expect(await applyImport(service, owner, account, import_id)).toMatchObject({
    zuruecknehmbar: 6,
    monate: [
      { monat: '2026-07', aufrufe: 3, geschlossen: false },
      { monat: '2026-06', aufrufe: 3, geschlossen: false },
    ],
  });
  const closed = await service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/abrechnung/abschliessen',
    headers: { cookie: account.cookie },
    payload: { monat: '2026-06', probe: false },
  });
  expect(closed.statusCode, closed.body).toBeLessThan(300);
  expect(await ask(service, account, 'GET', `/${import_id}`)).toMatchObject({
    zuruecknehmbar: 3,
    monate: [{ geschlossen: false }, { geschlossen: true }],
  });
  expect(await undoImport(service, owner, account, import_id)).toMatchObject({
    status: 'zurueckgenommen',
    zurueckgenommen: 3,
    geblieben: 3,
  });
  expect(await idsOf(account)).toEqual(sorted(...june));
  await expectSumsAfterTakingBack(service);
});

test('calls that cannot be counted are set aside and named; put back, they are calls of the import', async () => {
  const { account, key } = await newAccount();
  const { import_id } = await readFile(service, account, key.schluesselId, { calls: pastCalls(4), part: 2 });
  const mine = [account.mandantId];
  await service.sql(
    'CREATE TABLE heil AS SELECT daten FROM import_teile WHERE mandant_id = $1 AND nr = 2',
    mine,
  );
  await service.sql(`UPDATE import_teile SET daten = '\\x00' WHERE mandant_id = $1 AND nr = 2`, mine);
  expect(await applyImport(service, owner, account, import_id)).toMatchObject({
    status: 'fertig',
    angenommen: 2,
    schon_da: 0,
    abgewiesen: 2,
    zuruecknehmbar: 2,
  });
  // As docs/operations.md says.
  const columns =
    'mandant_id, eingang_id, empfangen_am, schluessel_id, projekt, anzahl, umfang, daten, import_id';
  await service.sql(
    `WITH zurueck AS (DELETE FROM eingang_unzaehlbar WHERE mandant_id = $1 RETURNING ${columns})
     INSERT INTO eingang (${columns}) SELECT ${columns.replace('daten', '(SELECT daten FROM heil)')} FROM zurueck`,
    mine,
  );
  await service.sql('DROP TABLE heil');
  await workOnImports(service, owner);
  const { log } = service.context;
  await createCountingWorker({ db: owner, log, prices: createPriceList(), substituteRate: '0.86' }).drain();
  expect(await ask(service, account, 'GET', `/${import_id}`)).toMatchObject({
    angenommen: 4,
    abgewiesen: 0,
    zuruecknehmbar: 4,
  });
});

test('one that a fault ends says so; what it has counted can be taken back', async () => {
  const { account, key } = await newAccount();
  const file = pastCalls(4);
  const { import_id } = await readFile(service, account, key.schluesselId, { calls: file, part: 2 });
  await ask(service, account, 'POST', `/${import_id}/anwenden`);
  const isPart = { broken: false };
  const failing: OwnerDatabase = {
    ...owner,
    query: owner.query.bind(owner),
    transaction: (work) => {
      if (isPart.broken) return Promise.reject(new Error('a fault'));
      isPart.broken = true;
      return owner.transaction(work);
    },
  } as OwnerDatabase;
  await expect(
    workOn({ owner: failing, clock: service.clock }, mandantId(account.mandantId), import_id),
  ).rejects.toThrow('a fault');
  await giveUp({ owner, clock: service.clock }, mandantId(account.mandantId), import_id);
  await workOnImports(service, owner);
  expect(await ask(service, account, 'GET', `/${import_id}`)).toMatchObject({
    status: 'fehlgeschlagen',
    angenommen: 2,
    zuruecknehmbar: 2,
  });
  expect(await undoImport(service, owner, account, import_id)).toMatchObject({ zurueckgenommen: 2 });
});
