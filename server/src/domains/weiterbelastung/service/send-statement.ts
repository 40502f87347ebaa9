/** A statement that goes by mail. */
import {
  addressKey,
  attachment,
  keptFrom,
  queueMail,
  quotedName,
  replyAddress,
  type StopLinks,
  stopLinks,
  toMail,
} from '#domains/postausgang/index.ts';
import { recordChange, SYSTEM } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { mailwegOf } from '#platform/mail.ts';
import { endMailing, type FailureReason, lockMailing, type Mailing, readMailing } from '../store/mailings.ts';
import {
  type DocumentContext,
  issued,
  keepAsIssued,
  type StatementDocument,
  statementDocument,
} from './documents.ts';

const MONTHS = new Intl.DateTimeFormat('de', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const monthName = (monat: string) => MONTHS.format(new Date(`${monat}-01T00:00:00Z`));

/** Subject and headline are ours: what a Mandant calls itself stands in quotes in the text. */
function letterOf(
  { monat, email }: Mailing,
  { bytes, absender, belegnummer }: StatementDocument,
  { stop, antwortAn }: { stop: StopLinks; antwortAn: string | null },
) {
  const name = monthName(monat);
  const firma = quotedName(absender);
  const questions =
    antwortAn === null
      ? `Bei Fragen wenden Sie sich bitte an ${firma}.`
      : `Bei Fragen antworten Sie auf diese Mail: Ihre Antwort geht an ${firma}.`;
  return {
    ...toMail({
      an: email,
      betreff: `Abrechnung ${name}`,
      titel: `Abrechnung ${name}`,
      absaetze: [
        'Guten Tag,',
        `${firma} schickt Ihnen über Zählwerk die Abrechnung für ${name}; sie hängt an dieser Mail.`,
        `Belegnummer: ${belegnummer}`,
        questions,
      ],
      hinweis:
        'Zählwerk verschickt diese Mail im Auftrag. In Abrechnungen fragt niemand nach Passwörtern oder Kontodaten.',
      abbestellen: { text: 'Keine Abrechnungen mehr per Mail bekommen', ...stop },
      antwortAn,
    }),
    anhaenge: [attachment(`Abrechnung-${monat}.pdf`, 'application/pdf', bytes)],
  };
}

/** Seconds. */
const VALID = 7 * 86_400;

type Context = Pick<ServiceContext, 'db' | 'clock' | 'secrets' | 'config'>;

/** Ends it, where it still waits, and puts the mail into the outbox where there is one; all or nothing. */
const endWith = (
  { db, clock, secrets, config }: Context,
  mandant: MandantId,
  id: string,
  made: StatementDocument | FailureReason,
): Promise<void> =>
  db.forMandant(mandant, async (tx) => {
    const row = await lockMailing(tx, id);
    if (row?.status !== 'wartet') return;
    const now = clock.now();
    const erledigt_am = now.toISOString();
    const fail = (fehlgrund: FailureReason) =>
      endMailing(tx, id, { status: 'fehlgeschlagen', fehlgrund, post_id: null, sha256: null, erledigt_am });
    if (typeof made === 'string') return fail(made);
    if ((await keptFrom(tx, 'abrechnung')).has(addressKey(row.email))) return fail('abgemeldet');
    const stop = stopLinks({ config, secrets }, mandant, 'abrechnung', row.email);
    const leaving = await keepAsIssued(tx, made, now);
    const mail = letterOf(row, leaving, { stop, antwortAn: await replyAddress(tx) });
    const { post_id } = await queueMail(tx, secrets, { art: 'abrechnung', mail, gueltig: VALID });
    const { sha256 } = leaving;
    await endMailing(tx, id, { status: 'versendet', fehlgrund: null, post_id, sha256, erledigt_am });
    await recordChange(tx, mandant, now, issued(SYSTEM, leaving, { versendung_id: id }));
  });

/** Notes as failed what nobody tries any more: it may be asked for again. */
export const abandonStatement = (context: Context, mandant: MandantId, id: string): Promise<void> =>
  endWith(context, mandant, id, 'aufgegeben');

/** Makes the statement and puts the mail into the outbox, once; a statement that cannot be made or carried is noted as failed, with why. */
export async function sendStatement(
  context: DocumentContext & Pick<ServiceContext, 'secrets'>,
  mandant: MandantId,
  id: string,
): Promise<{ mails: number }> {
  const waiting = await context.db.forMandant(mandant, (tx) => readMailing(tx, id));
  if (waiting?.status !== 'wartet') return { mails: 0 };
  if (mailwegOf(context.config) === 'log') {
    await endWith(context, mandant, id, 'kein_mailserver');
    return { mails: 0 };
  }
  let reason: FailureReason = 'unstimmig';
  try {
    const document = await statementDocument(context, mandant, waiting, { patient: true });
    reason = 'zu_gross';
    await endWith(context, mandant, id, document);
    return { mails: 1 };
  } catch (error) {
    // Figures that do not add up, or too large for a mail: trying again changes nothing.
    if (!(error instanceof RangeError)) throw error;
    context.log.error({ mandant, versendung: id, err: error }, 'statement not sent');
    await endWith(context, mandant, id, reason);
    return { mails: 0 };
  }
}
