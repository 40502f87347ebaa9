/** Asks people once whether alarms of a Mandant may go to their address. */
import type { Language } from '#kernel/sentence.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { addressKey, type Reserved, reserveMails } from './budget.ts';
import { quotedName, toMail } from './letter.ts';
import { sealReceipt } from './receipt-token.ts';
import { queueMail } from './store.ts';

const ANSWER_WITHIN_DAYS = 14;
const DAY = 24 * 3_600;

const WORDS = {
  de: (firma: string) => ({
    betreff: 'Sollen Alarme an diese Adresse gehen?',
    absaetze: [
      'Guten Tag,',
      `im Konto ${firma} bei Zählwerk wurde Ihre Adresse für Alarme eingetragen: Mails, wenn ein KI-Agent zu viel kostet oder angehalten wird. Es kommen keine, bevor Sie zustimmen. Der Link gilt ${ANSWER_WITHIN_DAYS} Tage.`,
    ],
    link: 'Zustimmen oder ablehnen',
    hinweis: 'Sie kennen das Konto nicht, oder Sie möchten keine Alarme? Dann brauchen Sie nichts zu tun.',
  }),
  en: (firma: string) => ({
    betreff: 'May alerts go to this address?',
    absaetze: [
      'Hello,',
      `in the account ${firma} of Zählwerk your address was entered for alerts: mails when an AI agent costs too much or is stopped. None will come before you agree. The link is valid for ${ANSWER_WITHIN_DAYS} days.`,
    ],
    link: 'Agree or decline',
    hinweis: 'You do not know the account, or do not want alerts? Then you need not do anything.',
  }),
} satisfies Record<Language, unknown>;

type Context = Pick<ServiceContext, 'config' | 'secrets' | 'clock'>;

async function languageOf(tx: MandantTx): Promise<Language> {
  const row = await tx.selectFrom('alarm_einstellungen').select('sprache').executeTakeFirst();
  return row?.sprache ?? 'de';
}

async function noteAsked(tx: MandantTx, adresse: string, angefragt_am: string): Promise<void> {
  await tx
    .insertInto('postempfaenger')
    .values({ mandant_id: tx.mandant, art: 'alarm', adresse, angefragt_am })
    .onConflict((conflict) =>
      conflict.columns(['mandant_id', 'art', 'adresse']).doUpdateSet({ angefragt_am }),
    )
    .execute();
}

/**
 * Puts in a mail to each of these addresses, as far as they fit; it is held until an inhaber has confirmed the own address. `fits` says
 * which were asked.
 */
export async function askRecipients(
  { config, secrets, clock }: Context,
  tx: MandantTx,
  firma: string,
  emails: string[],
): Promise<Reserved> {
  const reserved = await reserveMails(tx, 'alarm_bestaetigen', emails);
  const now = clock.now();
  const bis = Math.floor(now.getTime() / 1_000) + ANSWER_WITHIN_DAYS * DAY;
  const sprache = await languageOf(tx);
  const { link, ...words } = WORDS[sprache](quotedName(firma, sprache));
  for (const an of emails.filter((_, index) => reserved.fits[index])) {
    const adresse = addressKey(an);
    const token = sealReceipt(secrets, { mandant: tx.mandant, art: 'alarm', adresse, bis });
    const seite = `${config.baseUrl}/post?token=${token}`;
    const mail = toMail({ an, sprache, ...words, link: { text: link, adresse: seite } });
    const gueltig = ANSWER_WITHIN_DAYS * DAY;
    await queueMail(tx, secrets, { art: 'alarm_bestaetigen', mail, gueltig, gehalten: reserved.held });
    await noteAsked(tx, adresse, now.toISOString());
  }
  return reserved;
}
