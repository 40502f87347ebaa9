/** What no confirmation has let go: freed another way, or expired. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdMail, outboxOf } from '#test/held-mail.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
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

test('what another way has freed goes with the hour; what expired meanwhile never does', async () => {
  const freed = await holdMail(service);
  const expired = await holdMail(service, -1);
  const waiting = await holdMail(service);
  await service.sql('UPDATE benutzer SET email_bestaetigt_am = now() WHERE benutzer_id = ANY($1)', [
    [freed.benutzerId, expired.benutzerId],
  ]);
  await gehaltenesFreigebenJob({ owner }).run();
  expect(await outboxOf(service, freed.mandant)).toEqual({
    gehalten: [false],
    auftraege: ['postausgang.versenden'],
  });
  expect(await outboxOf(service, expired.mandant)).toEqual({ gehalten: null, auftraege: null });
  expect(await outboxOf(service, waiting.mandant)).toEqual({ gehalten: [true], auftraege: null });
});

test('a clock that is ahead takes nothing away: only what has expired for certain goes', async () => {
  const { mandant } = await holdMail(service, -60);
  await service.sql(`UPDATE uhrstand SET vergangen_bis = now() - interval '2 minutes'`);
  await gehaltenesFreigebenJob({ owner }).run();
  expect(await outboxOf(service, mandant)).toEqual({ gehalten: [true], auftraege: null });
  await service.sql(`UPDATE uhrstand SET vergangen_bis = now()`);
  await gehaltenesFreigebenJob({ owner }).run();
  expect(await outboxOf(service, mandant)).toEqual({ gehalten: null, auftraege: null });
});
