/** What the person at the terminal reads, beside the log: where the cockpit is, and what to do there first. */
import type pg from 'pg';
import { type Language, languageOf } from '#kernel/sentence.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import type { Mailweg } from '#platform/mail.ts';

const STATEMENT_TIMEOUT = 10_000;

/** The language of the terminal, by the variables that name it; German unless it is English. */
export const terminalLanguage = ({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): Language =>
  languageOf((LC_ALL || LC_MESSAGES || LANG)?.replace(/[_.].*$/, ''));

/** One line; while nobody has registered yet it says where to. */
export function greetingFor(publicAddress: string, isEmpty: boolean, language: Language): string {
  if (language === 'en')
    return isEmpty
      ? `Zählwerk is running. Open ${publicAddress}/registrieren in your browser and create an account.`
      : `Zählwerk is running. The cockpit: ${publicAddress}`;
  return isEmpty
    ? `Zählwerk läuft. Öffnen Sie ${publicAddress}/registrieren im Browser und legen Sie ein Konto an.`
    : `Zählwerk läuft. Das Cockpit: ${publicAddress}`;
}

/** Where the links of mails are, while no mail server sends them; null where one does. */
export function mailHint(mailweg: Mailweg, language: Language): string | null {
  if (mailweg !== 'log') return null;
  return language === 'en'
    ? 'No mail server is set up (SMTP_URL): links to confirm an address, of invitations and for new passwords are in the log, and “npm run betreiber -- link” makes one.'
    : 'Kein Mailserver ist eingerichtet (SMTP_URL): Links zum Bestätigen der Adresse, aus Einladungen und für neue Passwörter stehen im Log, und „npm run betreiber -- link“ macht einen.';
}

/** Whether nobody has ever registered, or everybody is gone. */
export async function hasNoMandant(connection: pg.ClientConfig, log: Log): Promise<boolean> {
  const options = { connection, max: 1, statementTimeout: STATEMENT_TIMEOUT, name: 'greeting' };
  const owner = createOwnerDatabase(createPool(options, log));
  try {
    const { rows } = await owner.query<{ empty: boolean }>(
      'SELECT NOT EXISTS (SELECT FROM mandanten) AS empty',
    );
    return rows[0]?.empty ?? false;
  } finally {
    await owner.close();
  }
}
