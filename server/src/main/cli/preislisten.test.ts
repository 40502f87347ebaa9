import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { editionOf, editionWith, type ListServer, startListServer } from '#test/price-lists.ts';
import { startService, type TestService } from '#test/service.ts';
import { COMMANDS } from './commands.ts';

let service: TestService;
let owner: OwnerDatabase;
let folder: string;
let server: ListServer;
beforeAll(async () => {
  service = await startService();
  // As the command line has it.
  const options = { connection: service.connection, max: 1, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
  folder = mkdtempSync(join(tmpdir(), 'zw-preisliste-'));
});
afterAll(async () => {
  await owner.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  server = await startListServer();
  service.clock.set('2026-10-10T12:00:00Z');
  await service.sql('TRUNCATE preislisten');
});
afterEach(() => server.stop());

/** Runs the command as it stands in the list; resolves with what it prints. */
async function run(name: string, args: string[] = [], priceListUrl: string | null = server.url) {
  const printed: string[] = [];
  const akteur = { art: 'betreiber' as const, id: null, name: 'test', adresse: null };
  const print = (line: string) => void printed.push(line);
  const config = { ...service.context.config, priceListUrl, allowedNetworks: ['127.0.0.1'] };
  const command = COMMANDS.find((each) => each.name === name);
  await command?.run({ ...service.context, config, owner, akteur, print }, args);
  return printed;
}
function file(bytes: Buffer | string): string {
  const path = join(folder, 'data.json');
  writeFileSync(path, bytes);
  return path;
}
const states = async () =>
  (await run('preislisten')).slice(1).map((line) =>
    line
      .split(/ {2,}/)
      .slice(0, 5)
      .concat(line.split(/ {2,}/)[7] ?? ''),
  );

test('shows the installed list, how old it is, and that it is old', async () => {
  const [head, line, ...more] = await run('preislisten');
  expect(head).toMatch(/^Nummer +Name +Stand +Alter \(Tage\) +Herkunft +Aufgenommen am +Modelle +Zustand$/);
  expect(line).toMatch(
    /^1 +genai-prices \d+\.\d+\.\d+ +\d{4}-\d\d-\d\d +\d+ +paket +2026-10-10 14:00 +\d{4} +gilt$/,
  );
  expect(more).toEqual([]);
  service.clock.set('2026-12-24T12:00:00Z');
  expect((await run('preislisten')).at(-1)).toBe('Die Preisliste, die gilt, ist älter als 30 Tage.');
});

test('an edition is fetched, pinned, let go and gone back from', async () => {
  server.serve(await editionWith('nagelneu-1', 3));
  expect((await run('preisliste-holen'))[0]).toMatch(
    /^„genai-prices 2026-10-10\.2“ \(Nummer 2, \d+ Modelle\) ist aufgenommen und gilt\.$/,
  );
  expect((await run('preisliste-holen'))[0]).toMatch(/war schon aufgenommen und gilt\.$/);
  expect(await run('preisliste-anheften', ['1'])).toEqual([
    'Nummer 1 gilt jetzt, bis „preisliste-loesen“ die neueste wieder gelten lässt.',
  ]);
  expect((await states()).map((cells) => cells.at(-1))).toEqual(['gilt, angeheftet', '']);
  server.serve(await editionWith('nagelneu-1', 4));
  expect((await run('preisliste-holen'))[0]).toMatch(
    /ist aufgenommen; es gilt weiter „genai-prices \S+“ \(Nummer 1\): Sie ist angeheftet\.$/,
  );
  expect(await run('preisliste-loesen')).toEqual([
    'Es gilt jetzt „genai-prices 2026-10-10.3“ (Nummer 3), und von nun an die neueste.',
  ]);
  expect((await run('preisliste-zurueck'))[0]).toMatch(
    /^Es gilt jetzt „genai-prices 2026-10-10\.2“ \(Nummer 2\)/,
  );
  expect((await states()).map((cells) => cells.at(-1))).toEqual(['', 'gilt, angeheftet', '']);
});

test('an edition is read from a file, with its day', async () => {
  const path = file(await editionWith('nagelneu-1', 3));
  expect((await run('preisliste-einlesen', [path, '2026-10-05']))[0]).toMatch(/ist aufgenommen und gilt\.$/);
  expect((await states())[1]).toEqual(['2', 'genai-prices 2026-10-05.2', '2026-10-05', '5', 'datei', 'gilt']);
  // Said again with a later day, it is as new as that.
  await run('preisliste-einlesen', [path, '2026-10-09']);
  expect((await states())[1]).toEqual(['2', 'genai-prices 2026-10-05.2', '2026-10-05', '1', 'datei', 'gilt']);
  const older = file(await editionWith('nagelneu-1', 4));
  expect((await run('preisliste-einlesen', [older, '2026-10-01']))[0]).toMatch(
    /ist aufgenommen; es gilt weiter „genai-prices 2026-10-05\.2“ \(Nummer 2\): Sie ist neuer\.$/,
  );
});

test('one that can hardly be right is not taken without asking', async () => {
  const path = file(await editionOf((providers) => void providers.splice(0, 20)));
  await expect(run('preisliste-einlesen', [path, '2026-10-05'])).rejects.toThrow(
    /ist als Nummer 2 aufgenommen, gilt aber nicht: es fehlen 20 von .*„preisliste-anheften 2“/,
  );
  expect((await states()).map((cells) => cells.at(-1))).toEqual([
    'gilt',
    expect.stringMatching(/^abgelehnt: /),
  ]);
  await run('preisliste-anheften', ['2']);
  expect((await states()).map((cells) => cells.at(-1))).toEqual(['', 'gilt, angeheftet']);
});

describe('says what is wrong', () => {
  test.each<[string, string[], string]>([
    [
      'preisliste-anheften',
      ['9'],
      'Eine Ausgabe mit der Nummer „9“ gibt es nicht; „preislisten“ zeigt alle.',
    ],
    ['preisliste-anheften', ['neun'], 'Eine Ausgabe mit der Nummer „neun“ gibt es nicht'],
    ['preisliste-anheften', ['99999999999'], 'Eine Ausgabe mit der Nummer „99999999999“ gibt es nicht'],
    ['preisliste-loesen', [], 'Es ist keine Ausgabe angeheftet.'],
    ['preisliste-zurueck', [], 'Eine frühere Ausgabe gibt es nicht.'],
    ['preisliste-einlesen', ['/gibt/es/nicht', '2026-10-05'], 'Die Datei „/gibt/es/nicht“ gibt es nicht.'],
    ['preisliste-einlesen', ['/', '2026-10-05'], 'Die Datei „/“ lässt sich nicht lesen.'],
    ['preisliste-einlesen', ['x', '2026-02-30'], '„2026-02-30“ ist kein Tag wie 2026-11-20.'],
    ['preisliste-einlesen', ['x', 'gestern'], '„gestern“ ist kein Tag wie 2026-11-20.'],
    ['preisliste-einlesen', ['x', '2026-10-11'], 'Der Tag 2026-10-11 liegt in der Zukunft.'],
    ['preisliste-holen', [], 'antwortet mit 404.'],
  ])('%s %j', async (name, args, sentence) => {
    await expect(run(name, args)).rejects.toThrow(sentence);
  });

  test('of what is no list, and where fetching is off', async () => {
    await expect(run('preisliste-einlesen', [file('[]x'), '2026-10-05'])).rejects.toThrow(
      'Das ist kein JSON.',
    );
    await expect(run('preisliste-einlesen', [file('{}'), '2026-10-05'])).rejects.toThrow('bekannten Form');
    await expect(run('preisliste-holen', [], null)).rejects.toThrow('PREISLISTE_URL ist leer');
  });
});
