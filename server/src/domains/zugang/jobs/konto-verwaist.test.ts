import { afterAll, beforeAll, expect, it } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { takeAddress } from '../service/adresse.ts';

let service: TestService;
let taker: Account;
beforeAll(async () => {
  service = await startService();
  taker = await registerAccount(service);
});
afterAll(() => service.stop());

async function unconfirmed(): Promise<Account> {
  const account = await registerAccount(service);
  await service.sql('UPDATE benutzer SET email_bestaetigt_am = NULL WHERE benutzer_id = $1', [
    account.benutzerId,
  ]);
  return account;
}

const take = (email: string, fails = false) =>
  service.context.db.forMandant(mandantId(taker.mandantId), async (tx) => {
    const taken = await takeAddress(service.context, tx, email, true);
    // The transaction is the taker's again.
    const seen = await tx.selectFrom('mandanten').select('mandant_id').execute();
    expect(seen).toEqual([{ mandant_id: taker.mandantId }]);
    if (fails) throw new Error('something else went wrong');
    return taken;
  });

const waiting = ({ mandantId }: Account) =>
  service.sql(`SELECT nutzlast FROM auftraege WHERE mandant_id = $1 AND job = 'zugang.konto_verwaist'`, [
    mandantId,
  ]);

it('waits for the Mandant of a user who was the last to be able to sign in', async () => {
  const alone = await unconfirmed();
  expect(await take(alone.email)).toBe(true);
  expect(await waiting(alone)).toEqual([{ nutzlast: { benutzer_id: alone.benutzerId } }]);
});

it('does not where others can, nor where the address stays', async () => {
  const [shared, confirmed] = [await unconfirmed(), await registerAccount(service)];
  await addUser(service, shared, 'betrachter');
  expect(await take(shared.email)).toBe(true);
  expect(await take(confirmed.email)).toBe(false);
  expect([await waiting(shared), await waiting(confirmed)]).toEqual([[], []]);
});

it('comes to nothing with what it was part of', async () => {
  const alone = await unconfirmed();
  await expect(take(alone.email, true)).rejects.toThrow('something else');
  expect(await waiting(alone)).toEqual([]);
  expect(
    await service.sql('SELECT email_verloren_am FROM benutzer WHERE benutzer_id = $1', [alone.benutzerId]),
  ).toEqual([{ email_verloren_am: null }]);
});
