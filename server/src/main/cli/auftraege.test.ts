import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { startService, type TestService } from '#test/service.ts';
import { CommandRefused } from './command.ts';
import { COMMANDS } from './commands.ts';

const MANDANT = randomUUID();
const [DEAD, OTHER, WAITS] = [randomUUID(), randomUUID(), randomUUID()];

let service: TestService;
let owner: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 1, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});
beforeEach(async () => {
  await service.sql('DELETE FROM auftraege');
  await service.sql(
    `INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast, faellig_am, versuche, fehler, aufgegeben_am)
     SELECT $1, id, 'test.auftrag', 1, '{}', now() - interval '90.5 seconds', 4, fehler, am::timestamptz
     FROM (VALUES ($2::uuid, E'kaputt\nganz', '2026-11-03 13:05Z'), ($3, 'auch', '2026-11-03 12:05Z'), ($4, NULL, NULL))
       AS n (id, fehler, am)`,
    [MANDANT, DEAD, OTHER, WAITS],
  );
});

/** Runs the command as it stands in the list; resolves with what it prints. */
async function run(name: string, ...args: string[]): Promise<string[]> {
  const printed: string[] = [];
  const akteur = { art: 'betreiber' as const, id: null, name: 'test', adresse: null };
  const print = (line: string) => void printed.push(line);
  await COMMANDS.find((command) => command.name === name)?.run(
    { ...service.context, owner, akteur, print },
    args,
  );
  return printed;
}
const waiting = () =>
  service.sql('SELECT auftrag_id, versuche FROM auftraege WHERE aufgegeben_am IS NULL ORDER BY versuche');

it('shows what waits and what was given up', async () => {
  const [head, line] = await run('auftraege');
  expect(head).toBe('Auftrag       Wartend  Ältester seit (s)  Aufgegeben');
  expect(line).toMatch(/^test\.auftrag {2}1 {8}9\d {17}2$/);
});

it('lists dead letters with the reason, each in one line', async () => {
  expect(await run('aufgegebene-auftraege')).toEqual([
    `ID${' '.repeat(36)}Auftrag       Mandant${' '.repeat(31)}Aufgegeben am     Versuche  Grund`,
    `${DEAD}  test.auftrag  ${MANDANT}  2026-11-03 14:05  4         kaputt ganz`,
    `${OTHER}  test.auftrag  ${MANDANT}  2026-11-03 13:05  4         auch`,
  ]);
});

it('has one run again, or all', async () => {
  expect(await run('auftrag-wiederholen', DEAD.toUpperCase())).toEqual(['Aufträge, die erneut laufen: 1.']);
  expect(await waiting()).toEqual([
    { auftrag_id: DEAD, versuche: 0 },
    { auftrag_id: WAITS, versuche: 4 },
  ]);
  expect(await run('auftrag-wiederholen', 'alle')).toEqual(['Aufträge, die erneut laufen: 1.']);
  expect(await run('auftrag-wiederholen', 'alle')).toEqual(['Aufträge, die erneut laufen: 0.']);
});

it('removes one for good', async () => {
  expect(await run('auftrag-verwerfen', DEAD)).toEqual(['Der Auftrag ist entfernt.']);
  expect(await service.sql('SELECT FROM auftraege')).toHaveLength(2);
});

it.each(['auftrag-wiederholen', 'auftrag-verwerfen'])('%s says what is wrong', async (name) => {
  for (const id of [WAITS, randomUUID()])
    await expect(run(name, id)).rejects.toThrow('Einen aufgegebenen Auftrag mit dieser Id gibt es nicht.');
  await expect(run(name, 'unsinn')).rejects.toThrow(CommandRefused);
});
