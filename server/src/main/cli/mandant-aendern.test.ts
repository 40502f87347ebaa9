import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { COMMANDS, problemOf } from './commands.ts';

const command = COMMANDS.find(({ name }) => name === 'mandant-aendern');

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());
beforeEach(async () => {
  account = await registerAccount(service);
});

/** Runs the command; resolves with what it prints. */
async function run(...args: string[]): Promise<string[]> {
  const printed: string[] = [];
  const akteur = { art: 'betreiber' as const, id: null, name: 'Kommandozeile (test)', adresse: null };
  const print = (line: string) => void printed.push(line);
  await command?.run({ ...service.context, owner: service.operators, akteur, print }, args);
  return printed;
}
const stand = async () =>
  (
    await service.sql(
      `SELECT paket, paket_bis, paket_quelle, abrechnungsstatus, betreiber_notiz, ereignisse_je_minute
       FROM mandanten WHERE mandant_id = $1`,
      [account.mandantId],
    )
  )[0];

it('changes fields, and clears those without a value', async () => {
  const fields = ['paket=team', 'paket_bis=2026-12-31', 'abrechnungsstatus=aktiv', 'betreiber_notiz=a = b'];
  expect(await run(account.mandantId, ...fields, 'ereignisse_je_minute=6000')).toEqual([
    'Der Mandant ist geändert.',
  ]);
  expect(await stand()).toEqual({
    ...{ paket: 'team', paket_bis: '2026-12-31T23:00:00Z', paket_quelle: 'betreiber' },
    ...{ abrechnungsstatus: 'aktiv', betreiber_notiz: 'a = b', ereignisse_je_minute: 6_000 },
  });
  expect(await run(account.mandantId, 'paket=team', 'paket_bis=2026-12-31')).toEqual([
    'Es bleibt alles, wie es ist.',
  ]);
  await run(account.mandantId, 'paket=', 'betreiber_notiz=', 'ereignisse_je_minute=');
  expect(await stand()).toMatchObject({
    ereignisse_je_minute: null,
    paket: 'frei',
    paket_quelle: 'frei',
    paket_bis: null,
    betreiber_notiz: null,
  });
});

it.each([
  ['paket=gold', '„paket“ hat keinen gültigen Wert: '],
  [
    'firma=Neu',
    'Ein Feld „firma“ gibt es nicht; es gibt paket, paket_bis, abrechnungsstatus, betreiber_notiz, anfragen_je_minute, ereignisse_je_minute.',
  ],
  ['anfragen_je_minute=viele', '„anfragen_je_minute“ hat keinen gültigen Wert: '],
  ['__proto__=x', 'Ein Feld „__proto__“ gibt es nicht'],
  ['paket', '„paket“ hat nicht die Form feld=wert.'],
  [`betreiber_notiz=${'x'.repeat(501)}`, '„betreiber_notiz“ hat keinen gültigen Wert: '],
])('refuses %s', async (setting, sentence) => {
  const before = await stand();
  await expect(run(account.mandantId, setting)).rejects.toThrow(sentence);
  expect(await stand()).toEqual(before);
});

it('says what is wrong', async () => {
  await expect(run(randomUUID(), 'paket=team')).rejects.toThrow('Diesen Mandanten gibt es nicht.');
  await expect(run(account.mandantId, 'paket_bis=2026-12-31')).rejects.toMatchObject({
    faults: [{ path: ['paket_bis'] }],
  });
  expect(problemOf(command, 'mandant-aendern', [account.mandantId])).toBe(
    'Erwartet wird: mandant-aendern <mandant_id> <feld=wert> …',
  );
  expect(problemOf(command, 'mandant-aendern', [account.mandantId, 'paket=', 'paket_bis='])).toBeNull();
});
