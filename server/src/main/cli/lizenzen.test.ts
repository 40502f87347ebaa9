import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createIssuer, LIST } from '#test/licences.ts';
import { startService, type TestService } from '#test/service.ts';
import { COMMANDS } from './commands.ts';

let service: TestService;
let owner: OwnerDatabase;
let folder: string;
beforeAll(async () => {
  service = await startService({ BASE_URL: 'https://lizenzen.example.org' });
  // As the command line has it.
  const options = { connection: service.connection, max: 1, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
  folder = mkdtempSync(join(tmpdir(), 'zw-lizenzen-'));
});
afterAll(async () => {
  await owner.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => service.clock.set('2026-10-01T12:00:00Z'));

/** Runs the command as it stands in the list; resolves with what it prints. */
async function run(name: string, args: string[] = [], env: object = {}) {
  const printed: string[] = [];
  const akteur = { art: 'betreiber' as const, id: null, name: 'test', adresse: null };
  const print = (line: string) => void printed.push(line);
  const config = { ...service.context.config, ...env };
  const command = COMMANDS.find((each) => each.name === name);
  await command?.run({ ...service.context, config, owner, akteur, print }, args);
  return printed;
}
function file(text: string): string {
  const path = join(folder, 'datei');
  writeFileSync(path, text);
  return path;
}
async function issue(kunde: string, until = '2027-12-31') {
  const printed = await run('lizenz-erzeugen', [kunde, 'enterprise', until, '3']);
  const [, id = '', fingerprint = ''] = /^Lizenz (\S+), Fingerabdruck (\S+)$/.exec(printed[0] ?? '') ?? [];
  const token = printed.find((line) => line.startsWith('LIZENZ='))?.slice('LIZENZ='.length) ?? '';
  const key = /^LIZENZ_PRUEFSCHLUESSEL='(.+)'$/.exec(printed.at(-1) ?? '')?.[1] ?? '';
  return { id, fingerprint, token, key };
}
/** The last character holds only some bits of the last byte, which may well be zero: the first one is another. */
const withOtherSignature = (token: string) =>
  token.replace(
    /\.([\w-])([\w-]+)$/,
    (_, first: string, rest: string) => `.${first === 'A' ? 'B' : 'A'}${rest}`,
  );
const states = async () => (await run('lizenzen')).slice(1).map((line) => line.split(/ {2,}/)[6]);

test('a licence is made, checked, blocked in each way, and let go', async () => {
  const { id, fingerprint, token, key } = await issue('Muster GmbH');
  const checked = await run('lizenz-pruefen', [file(`${token}\n`)]);
  expect(checked).toEqual([
    expect.stringMatching(/^Die Lizenz ist echt; unterschrieben mit \S+\.$/),
    'Kunde Muster GmbH, Paket enterprise, Mandanten 3',
    'Gültig bis 2028-01-01 00:00',
    `Lizenz ${id}, Fingerabdruck ${fingerprint}`,
    expect.stringMatching(/^Sperrliste https:\/\/lizenzen\.example\.org\/v1\/lizenzen\/sperrliste\?kid=\S+$/),
  ]);
  expect(await run('lizenz-pruefen', [file(token)], { licenceKey: key })).toEqual(checked);
  const { jwk } = await createIssuer();
  await expect(run('lizenz-pruefen', [file(token)], { licenceKey: jwk })).rejects.toThrow(
    /nicht echt \(signed with another key/,
  );
  await expect(run('lizenz-pruefen', [file(withOtherSignature(token))])).rejects.toThrow('nicht echt');
  for (const name of [id, fingerprint.toUpperCase(), 'Muster GmbH']) {
    expect((await run('lizenz-sperren', [name, 'nicht bezahlt']))[0]).toMatch(
      /^1 Lizenz gesperrt\. Die Sperrliste hat die Nummer \d+\.$/,
    );
    expect((await run('lizenz-sperren', [name, 'noch einmal']))[0]).toMatch(
      /^0 Lizenzen gesperrt, 1 Lizenz war es schon\./,
    );
    expect(await states()).toEqual(['gesperrt: nicht bezahlt']);
    expect((await run('lizenz-entsperren', [name]))[0]).toMatch(/^1 Lizenz entsperrt\./);
    expect(await states()).toEqual(['aktiv']);
  }
});

test('keys are rotated and withdrawn', async () => {
  await issue('Muster AG', 'unbegrenzt');
  const keys = async () =>
    (await run('lizenz-schluessel')).slice(1, -2).map((line) => line.split(/ {2,}/).slice(0, 2));
  const [[first = ''] = []] = await keys();
  await expect(run('lizenz-schluessel-zurueckziehen', [first])).rejects.toThrow('wechseln Sie ihn zuerst');
  const [said, jwk = ''] = await run('lizenz-schluessel-wechseln');
  expect(said).toMatch(/^Unterschrieben wird jetzt mit /);
  const second = JSON.parse(jwk).kid;
  expect(await keys()).toEqual([
    [first, 'prüft noch'],
    [second, 'aktiv'],
  ]);
  const set = JSON.parse((await run('lizenz-schluessel')).at(-1) ?? '');
  expect(set.keys.map(({ kid, d }: { kid: string; d?: string }) => [kid, d])).toEqual([
    [first, undefined],
    [second, undefined],
  ]);
  const withdrawn = await run('lizenz-schluessel-zurueckziehen', [first]);
  expect(withdrawn[1]).toMatch(/^Lizenzen, die noch mit ihm unterschrieben sind: 2\. /);
  expect(await keys()).toEqual([
    [first, 'zurückgezogen'],
    [second, 'aktiv'],
  ]);
});

test('a revocation list is read from a file', async () => {
  const issuer = await createIssuer();
  const env = { licence: await issuer.licence(), licenceKey: issuer.jwk };
  expect(await run('sperrliste-einlesen', [file(await issuer.list())], env)).toEqual([
    'Die Sperrliste Nummer 5 ist aufgenommen; gesperrte Lizenzen: 0.',
  ]);
  const older = file(await issuer.list({ nummer: 4 }));
  await expect(run('sperrliste-einlesen', [older], env)).rejects.toThrow('sie ist älter als die bekannte');
  await expect(run('sperrliste-einlesen', [file(JSON.stringify(LIST))], env)).rejects.toThrow(
    'das ist keine Sperrliste',
  );
  await expect(run('sperrliste-einlesen', [older])).rejects.toThrow('hat keine gültige Lizenz');
});

describe('says what is wrong', () => {
  test.each<[string, string[], string]>([
    [
      'lizenz-erzeugen',
      ['Muster', 'gold', 'unbegrenzt', '1'],
      'paket muss eines von starter, team, enterprise sein.',
    ],
    ['lizenz-erzeugen', ['M', 'team', 'unbegrenzt', '1'], 'kunde hat 2 bis 120 Zeichen'],
    ['lizenz-erzeugen', ['Muster', 'team', '2026-09-30', '1'], 'Der Tag 2026-09-30 ist vorbei.'],
    ['lizenz-erzeugen', ['Muster', 'team', '2027-02-30', '1'], '„2027-02-30“ ist kein Tag wie 2027-12-31.'],
    ['lizenz-erzeugen', ['Muster', 'team', 'unbegrenzt', '0'], '„0“ ist keine Anzahl von 1 bis 999999.'],
    ['lizenz-sperren', ['gibt-es-nicht', 'x'], 'Diese Lizenz gibt es nicht.'],
    ['lizenz-entsperren', ['gibt-es-nicht'], 'Diese Lizenz gibt es nicht.'],
    ['lizenz-schluessel-zurueckziehen', ['gibt-es-nicht'], 'Diesen Schlüssel gibt es nicht.'],
    ['lizenz-pruefen', ['/gibt/es/nicht'], 'Die Datei „/gibt/es/nicht“ gibt es nicht.'],
  ])('%s %j', async (name, args, sentence) => {
    await expect(run(name, args)).rejects.toThrow(sentence);
  });

  test('of a key that is none', async () => {
    await expect(run('lizenz-pruefen', [file('x')], { licenceKey: 'unsinn' })).rejects.toThrow(
      'LIZENZ_PRUEFSCHLUESSEL ist kein öffentlicher Schlüssel',
    );
  });
});
