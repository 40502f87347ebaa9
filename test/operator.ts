/** Operators of the installation, as tests need them. */
import { type Account, openSession, registerAccount } from './account.ts';
import type { TestService } from './service.ts';

/** The inhaber of a new Mandant, named operator. */
export async function createOperator(service: TestService, firma = 'Betreiber GmbH'): Promise<Account> {
  const account = await registerAccount(service, firma);
  await service.sql('INSERT INTO betreiber (mandant_id, benutzer_id) VALUES ($1, $2)', [
    account.mandantId,
    account.benutzerId,
  ]);
  return { ...account, cookie: await openSession(service, account) };
}

/** The acts in the operator log, oldest first. */
export const operatorActs = (service: TestService) =>
  service.sql(`SELECT aktion, mandant, akteur_art, akteur_mandant, akteur_id, akteur_name, objekt_art, objekt_id, objekt_name,
      vorher, nachher, adresse
    FROM betreiberprotokoll ORDER BY eintrag_id`);
