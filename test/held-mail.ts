/** Mail that waits in the outbox until an inhaber has confirmed the own address. */
import { expect } from 'vitest';
import { queueMail, toMail } from '#domains/postausgang/index.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import { type Account, registerAccount } from './account.ts';
import type { TestService } from './service.ts';

/** A new Mandant whose inhaber has not confirmed, with a mail that is held; it expires after `gueltig` seconds. */
export async function holdMail(
  service: TestService,
  gueltig = 3_600,
): Promise<Account & { mandant: MandantId }> {
  const account = await registerAccount(service);
  await service.sql('UPDATE benutzer SET email_bestaetigt_am = NULL WHERE benutzer_id = $1', [
    account.benutzerId,
  ]);
  const mandant = mandantId(account.mandantId);
  const mail = toMail({ an: 'a@example.org', betreff: 'Hallo', absaetze: ['Hallo.'] });
  const put = service.context.db.forMandant(mandant, (tx) =>
    queueMail(tx, service.context.secrets, { art: 'einladung', mail, gueltig }),
  );
  expect(await put).toMatchObject({ gehalten: true });
  return { ...account, mandant };
}

/** Whether the mails of the Mandant are held, and which jobs wait. */
export const outboxOf = async (service: TestService, mandant: string): Promise<unknown> =>
  (
    await service.sql(
      `SELECT (SELECT array_agg(gehalten) FROM postausgang WHERE mandant_id = $1) AS gehalten,
         (SELECT array_agg(job ORDER BY job) FROM auftraege WHERE mandant_id = $1) AS auftraege`,
      [mandant],
    )
  )[0];
