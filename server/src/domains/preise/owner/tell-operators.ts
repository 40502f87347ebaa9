/** What operators of the installation must know about the price list, by mail. */
import { queueMail, toMail } from '#domains/postausgang/index.ts';
import { readOperatorAddresses } from '#domains/zugang/index.ts';
import type { JobContext } from '#jobs/index.ts';
import { continueAsMandant } from '#platform/database/index.ts';
import { ageInDays, type Edition, inForceOf, isOld } from '../list/in-force.ts';
import { readEditions } from './editions.ts';

type Telling = Pick<JobContext, 'owner' | 'secrets' | 'log' | 'clock'>;

const MAIL_VALID_SECONDS = 3 * 24 * 60 * 60;
const HINT =
  'Sie bekommen diese Nachricht als Betreiber dieser Installation von Zählwerk. Befehle: npm run betreiber -- hilfe';

/** Once for each edition and spell. */
const NOTE = `UPDATE preislisten SET gemeldet_am = $2
  WHERE nummer = $1 AND gemeldet_am IS NULL`;

/** Tells all operators, in the transaction that notes it. Resolves with how many; 0 when they were told before. */
const tell = (
  { owner, secrets, clock }: Telling,
  nummer: number,
  letter: { betreff: string; absaetze: string[] },
): Promise<number> =>
  owner.transaction(async (client) => {
    const { rowCount } = await client.query(NOTE, [nummer, clock.now().toISOString()]);
    if (!rowCount) return 0;
    const addresses = await readOperatorAddresses(client);
    for (const { mandant, email } of addresses) {
      const tx = await continueAsMandant(client, mandant);
      const mail = toMail({ an: email, hinweis: HINT, ...letter });
      await queueMail(tx, secrets, { art: 'betreiber', mail, gueltig: MAIL_VALID_SECONDS });
    }
    return addresses.length;
  });

const oldLetter = ({ name, stand, angeheftet }: Edition, days: number) => ({
  betreff: `Die Preisliste ist ${days} Tage alt`,
  absaetze: [
    'Guten Tag,',
    `die Preisliste, nach der Zählwerk rechnet (${name}, Stand ${stand}), ist ${days} Tage alt. Modelle, die seither erschienen sind, haben keinen Preis, und geänderte Preise fehlen.`,
    angeheftet
      ? 'Sie ist angeheftet; „preisliste-loesen“ lässt wieder die neueste gelten.'
      : 'Erreicht der Dienst das Netz nicht, liest „preisliste-einlesen“ eine neuere aus einer Datei.',
  ],
});

const refusalLetter = ({ nummer, name, abgelehnt }: Edition) => ({
  betreff: 'Eine neue Preisliste gilt noch nicht',
  absaetze: [
    'Guten Tag,',
    `die neue Preisliste ${name} weicht so weit von der vorigen ab, dass sie nicht von selbst gilt: ${abgelehnt}.`,
    `Gerechnet wird weiter nach der vorigen. Ist die neue richtig, setzt „preisliste-anheften ${nummer}“ sie in Kraft.`,
  ],
});

/** Says that an edition was not taken, once. */
export async function tellRefusal(context: Telling, edition: Edition): Promise<void> {
  const { nummer, name, abgelehnt } = edition;
  const mails = await tell(context, nummer, refusalLetter(edition));
  context.log.error({ nummer, name, reason: abgelehnt, mails }, 'price list refused');
}

/** Says that the list in force is old: in the log each time, by mail once until a newer one holds. */
export async function tellAge(context: Telling): Promise<void> {
  const edition = inForceOf(await readEditions(context.owner));
  const now = context.clock.now();
  if (!edition || !isOld(edition, now)) return;
  const days = Math.floor(ageInDays(edition, now));
  const mails = await tell(context, edition.nummer, oldLetter(edition, days));
  const { nummer, name, stand } = edition;
  context.log.warn({ nummer, name, stand, days, mails }, 'the price list in force is old');
}
