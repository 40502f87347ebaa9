/** Held mail leaves once an inhaber has confirmed the own address, and not otherwise. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRunner } from '#jobs/runner.ts';
import { holdMail, outboxOf } from '#test/held-mail.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { releaseHeld } from '../store.ts';
import { freigebenJob } from './freigeben.ts';

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

test('the confirmation lets it go, in effect once', async () => {
  const { mandant, benutzerId } = await holdMail(service);
  const other = await holdMail(service);
  expect(await outboxOf(service, mandant)).toEqual({ gehalten: [true], auftraege: null });
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
  expect(await outboxOf(service, mandant)).toEqual({
    gehalten: [false],
    auftraege: ['postausgang.versenden'],
  });
  expect(await outboxOf(service, other.mandant)).toEqual({ gehalten: [true], auftraege: null });
});
