/** Held mail leaves once an inhaber has confirmed the own address, and not otherwise. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRunner } from '#jobs/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { toMail } from '../letter.ts';
import { queueMail, releaseHeld } from '../store.ts';
import { freigebenJob } from './freigeben.ts';
import { gehaltenesFreigebenJob } from './gehaltenes-freigeben.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

async function holding(gueltig = 3_600) {
  const account = await registerAccount(service);
  await service.sql('UPDATE benutzer SET email_bestaetigt_am = NULL WHERE benutzer_id = $1', [
    account.benutzerId,
  ]);
  const mandant = mandantId(account.mandantId);
  const mail = toMail({ an: 'a@example.org', betreff: 'Hallo', absaetze: ['Hallo.'] });
  const put = service.context.db.forMandant(mandant, (tx) =>
    queueMail(tx, service.context.secrets, { art: 'einladung', mail, gueltig }),
  );
  expect(await put).toEqual({ gehalten: true });
  return { ...account, mandant };
}
const state = async (mandant: string) =>
  (
    await service.sql(
      `SELECT (SELECT array_agg(gehalten) FROM postausgang WHERE mandant_id = $1) AS gehalten,
         (SELECT array_agg(job ORDER BY job) FROM auftraege WHERE mandant_id = $1) AS auftraege`,
      [mandant],
    )
  )[0];

test('the confirmation lets it go, in effect once', async () => {
  const { mandant, benutzerId } = await holding();
  const other = await holding();
  expect(await state(mandant)).toEqual({ gehalten: [true], auftraege: null });
  // As who confirms the address does, in one transaction.
  await service.sql('UPDATE benutzer SET email_bestaetigt_am = now() WHERE benutzer_id = $1', [benutzerId]);
  await service.context.db.forMandant(mandant, releaseHeld);
  const runner = createRunner({
    jobs: [freigebenJob({ owner })],
    db: owner,
    log: service.context.log,
    observe: () => undefined,
  });
  await runner.runDue();
  await runner.runDue();
  await runner.stop();
  expect(await state(mandant)).toEqual({ gehalten: [false], auftraege: ['postausgang.versenden'] });
  expect(await state(other.mandant)).toEqual({ gehalten: [true], auftraege: null });
});

test('what another way has freed goes with the hour; what expired meanwhile never does', async () => {
  const freed = await holding();
  const expired = await holding(-1);
  const waiting = await holding();
  await service.sql('UPDATE benutzer SET email_bestaetigt_am = now() WHERE benutzer_id = ANY($1)', [
    [freed.benutzerId, expired.benutzerId],
  ]);
  await gehaltenesFreigebenJob({ owner }).run();
  expect(await state(freed.mandant)).toEqual({ gehalten: [false], auftraege: ['postausgang.versenden'] });
  expect(await state(expired.mandant)).toEqual({ gehalten: null, auftraege: null });
  expect(await state(waiting.mandant)).toEqual({ gehalten: [true], auftraege: null });
});
