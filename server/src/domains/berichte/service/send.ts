/** The weekly report by mail: in effect once for a user and a week. */
import { lockMandant } from '#domains/mandant/index.ts';
import { queueMail } from '#domains/postausgang/index.ts';
import { type Reader, readReader, rightsOf } from '#domains/zugang/index.ts';
import type { JobContext } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Mail } from '#platform/mail.ts';
import { compose } from '../page/compose.ts';
import { toMail } from '../page/mail.ts';
import { makePdf } from '../page/pdf.ts';
import { type Due, dueReport, mustWait } from '../rules.ts';
import { claim, listWaiting } from '../store.ts';
import { brandOf } from './brand.ts';
import { readReport } from './report.ts';

export type SendContext = Pick<
  JobContext,
  'db' | 'clock' | 'config' | 'documents' | 'secrets' | 'outbound' | 'log'
>;

/** A mail for readers of one role and language; without recipient, null while counting is behind. */
type Issue = Omit<Mail, 'an'> | null;

/** Makes each issue once, however many read it. */
function createPress(context: SendContext, mandant: MandantId, due: Due) {
  const issues = new Map<string, Promise<Issue>>();
  const make = async ({ rolle, sprache }: Reader): Promise<Issue> => {
    const report = await readReport(context, mandant, due.monday.toString(), rightsOf(rolle));
    if (mustWait(Temporal.Instant.from(report.erstellt_am), due, report.vorlaeufig)) return null;
    const { baseUrl } = context.config;
    const document = compose(report, sprache ?? 'de', baseUrl);
    const brand = await brandOf(context, mandant);
    const printed = { document, brand, erstellt_am: report.erstellt_am };
    const pdf = await makePdf(context.documents, mandant, printed, { patient: true });
    return toMail(document, '', pdf, baseUrl);
  };
  return (reader: Reader): Promise<Issue> => {
    const kind = `${reader.rolle} ${reader.sprache}`;
    const issue = issues.get(kind) ?? make(reader);
    issues.set(kind, issue);
    return issue;
  };
}

const reached = async (context: SendContext, mandant: MandantId, benutzerId: string) => {
  const reader = await context.db.forMandant(mandant, (tx) => readReader(tx, benutzerId));
  return reader?.bestaetigt ? reader : null;
};

/**
 * Puts the mail into the outbox together with the claim to it: a worker that dies before has sent nothing, a later one finds the
 * claim. False when somebody else had it, or the user may not get it any more as it was made.
 */
function post(
  { db, secrets, clock }: SendContext,
  mandant: MandantId,
  to: { benutzerId: string; reader: Reader },
  due: Due,
  issue: Omit<Mail, 'an'>,
): Promise<boolean> {
  const now = clock.now();
  return db.forMandant(mandant, async (tx) => {
    const { status } = await lockMandant(tx);
    const reader = await readReader(tx, to.benutzerId);
    const isSame = reader?.bestaetigt && reader.rolle === to.reader.rolle && reader.email === to.reader.email;
    if (status !== 'aktiv' || !isSame) return false;
    if (!(await claim(tx, to.benutzerId, due.monday.toString(), now.toISOString()))) return false;
    const valid = Math.max(1, Math.round((due.until.epochMilliseconds - now.getTime()) / 1_000));
    const mail = { ...issue, an: reader.email };
    await queueMail(tx, secrets, { art: 'wochenbericht', mail, gueltig: valid });
    return true;
  });
}

/**
 * Sends the report that is due in the Mandant's zone (IANA name) to everybody who wants it and has not got it; resolves with how many
 * mails were put into the outbox. One that fails does not keep the others; throws in the end.
 */
export async function sendDueReports(
  context: SendContext,
  mandant: MandantId,
  zone: string,
): Promise<number> {
  const due = dueReport(Temporal.Instant.fromEpochMilliseconds(context.clock.now().getTime()), zone);
  if (!due) return 0;
  const waiting = await context.db.forMandant(mandant, (tx) =>
    listWaiting(tx, due.monday.toString(), due.since.toString()),
  );
  const issueFor = createPress(context, mandant, due);
  const failures: unknown[] = [];
  let sent = 0;
  for (const benutzerId of waiting) {
    try {
      const reader = await reached(context, mandant, benutzerId);
      const issue = reader && (await issueFor(reader));
      if (reader && issue && (await post(context, mandant, { benutzerId, reader }, due, issue))) sent += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${waiting.length} weekly reports not sent`);
  return sent;
}
