import { afterAll, beforeAll, expect, it } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { recordChange } from '../store.ts';
import { type Acting, actAsOperator, actOnMandant } from './operator-acts.ts';

const NOW = new Date('2026-11-20T12:00:00.123Z');
const BY: Acting = {
  akteur: { art: 'betreiber', id: null, name: 'Kommandozeile (test)', adresse: null },
  now: NOW,
};

let service: TestService;
let owner: OwnerDatabase;
let account: Account;
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 1, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
  account = await registerAccount(service);
  await registerAccount(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

const entries = (aktion: string) =>
  owner.query('SELECT * FROM betreiberprotokoll WHERE aktion = $1', [aktion]).then(({ rows }) => rows);
const firma = async () => {
  const { rows } = await owner.query<{ firma: string }>('SELECT firma FROM mandanten WHERE mandant_id = $1', [
    account.mandantId,
  ]);
  return rows[0]?.firma;
};
const act = (aktion: string) => ({ aktion, objekt: { art: 'mandant', id: account.mandantId } });

it('leaves an entry that says who, what, before, after, when, from where', async () => {
  const akteur = {
    ...{ art: 'benutzer' as const, id: account.benutzerId, mandant: mandantId(account.mandantId) },
    ...{ name: account.email, adresse: '192.0.2.7' },
  };
  const done = await actAsOperator(owner, { akteur, now: NOW }, async () => ({
    result: 7,
    act: {
      aktion: 'test.eins',
      objekt: { art: 'preisliste', id: '3', name: 'Liste' },
      vorher: { a: 1 },
      nachher: { a: 2 },
    },
  }));
  expect(done).toBe(7);
  expect(await entries('test.eins')).toEqual([
    {
      ...{
        eintrag_id: expect.any(String),
        zeitpunkt: '2026-11-20T12:00:00.123Z',
        aktion: 'test.eins',
        mandant: null,
      },
      ...{ akteur_art: 'benutzer', akteur_mandant: account.mandantId, akteur_id: account.benutzerId },
      ...{ akteur_name: account.email, adresse: '192.0.2.7' },
      ...{
        objekt_art: 'preisliste',
        objekt_id: '3',
        objekt_name: 'Liste',
        vorher: { a: 1 },
        nachher: { a: 2 },
      },
    },
  ]);
});

it('on a Mandant is bound to that one, with both logs in one transaction', async () => {
  const mandant = mandantId(account.mandantId);
  const seen = await actOnMandant(owner, BY, mandant, async (tx) => ({
    result: await tx.selectFrom('mandanten').select('mandant_id').execute(),
    act: null,
  }));
  expect(seen).toEqual([{ mandant_id: mandant }]);
  const reading = actOnMandant(owner, BY, mandant, async (tx) => ({
    result: await tx.selectFrom('betreiberprotokoll').select('aktion').execute(),
    act: null,
  }));
  await expect(reading).rejects.toThrow('permission denied');
  await actOnMandant(owner, BY, mandant, async (tx) => {
    await tx.updateTable('mandanten').set({ firma: 'Neu GmbH' }).where('mandant_id', '=', mandant).execute();
    await recordChange(tx, mandant, NOW, { akteur: BY.akteur, ...act('test.zwei') });
    return { result: null, act: act('test.zwei') };
  });
  expect(await firma()).toBe('Neu GmbH');
  expect(await entries('test.zwei')).toMatchObject([
    { mandant, akteur_name: 'Kommandozeile (test)', vorher: null },
  ]);
  const { rowCount } = await owner.query(
    `SELECT FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'test.zwei'`,
    [mandant],
  );
  expect(rowCount).toBe(1);
});

it('that fails, or changes nothing, leaves no entry', async () => {
  const before = await firma();
  const failing = actAsOperator(owner, BY, async (within) => {
    await within.transaction((client) => client.query(`UPDATE mandanten SET firma = 'Falsch'`));
    // What cannot be noted does not happen.
    return { result: null, act: { ...act('test.drei'), aktion: null as unknown as string } };
  });
  await expect(failing).rejects.toThrow('null value in column "aktion"');
  expect(await firma()).toBe(before);
  expect(await actAsOperator(owner, BY, async () => ({ result: 1, act: null }))).toBe(1);
  expect(await entries('test.drei')).toEqual([]);
});

it.each([
  `UPDATE betreiberprotokoll SET aktion = 'anders'`,
  'DELETE FROM betreiberprotokoll',
  'TRUNCATE betreiberprotokoll',
])('is never changed or removed: %s', async (sql) => {
  await actAsOperator(owner, BY, async () => ({ result: null, act: act('test.vier') }));
  await expect(owner.query(sql)).rejects.toThrow(
    'entries of betreiberprotokoll are never changed or removed',
  );
  expect((await entries('test.vier')).length).toBeGreaterThan(0);
});
