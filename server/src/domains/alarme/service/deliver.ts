/** One attempt at a delivery. */
import {
  type Adressen,
  holdMandant,
  type Kanaele,
  readKanaele,
  readMandant,
} from '#domains/mandant/index.ts';
import {
  type ArtName,
  mailExhausted,
  queueMail,
  recipientsOf,
  reserveMails,
  spend,
  stopLinks,
  toMail,
} from '#domains/postausgang/index.ts';
import { TryAgain } from '#jobs/index.ts';
import { AppError } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Sentence } from '#kernel/sentence.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { mailwegOf } from '#platform/mail.ts';
import { letterOf } from '../channels/email.ts';
import type { Message } from '../channels/message.ts';
import { readEinstellungen, readGeheimnisse } from '../einstellungen.ts';
import { statusAfter, WEBHOOK_PACE } from '../rules.ts';
import { type AddressedKanal, send } from '../send.ts';
import type { Geheimnisse } from '../signing.ts';
import {
  type AlarmRow,
  lockZustellung,
  noteAttempt,
  readAlarm,
  readRaised,
  readZustellungen,
  type ZustellungRow,
} from '../store.ts';

export type Sending = Pick<ServiceContext, 'db' | 'secrets' | 'clock' | 'outbound' | 'config'>;

/** A mail that is this late is of no use any more. */
const MAIL_SECONDS = 24 * 3_600;

const CHANNEL_GONE: Sentence = {
  de: 'Der Kanal ist nicht mehr eingerichtet.',
  en: 'The channel is not set up any more.',
};
export const NO_MAIL_SERVER: Sentence = {
  de: 'In dieser Installation ist kein Mailserver eingerichtet; die Mail steht nur im Log des Dienstes.',
  en: 'No mail server is set up in this installation; the mail stands in the log of the service only.',
};
export const NOBODY_AGREED: Sentence = {
  de: 'An keiner der Adressen hat jemand zugestimmt, Alarme zu bekommen.',
  en: 'At none of the addresses has anybody agreed to get alerts.',
};
const NEVER_TOLD: Sentence = {
  de: 'Der Alarm selbst ist hier nicht angekommen.',
  en: 'The alarm itself did not arrive here.',
};

/** A local time of the zone, ISO 8601 with its offset. */
const localTime = (instant: string, zone: string): string =>
  Temporal.Instant.from(instant)
    .toZonedDateTimeISO(zone)
    .toString({ timeZoneName: 'never', fractionalSecondDigits: 0 });

/** The alarm in the language of the Mandant. */
export async function messageOf(
  tx: MandantTx,
  { config }: Pick<Sending, 'config'>,
  alarm: Pick<AlarmRow, `${'titel' | 'text'}_${'de' | 'en'}` | 'stufe' | 'pfad' | 'zeitpunkt'> &
    Pick<Message, 'id' | 'art'>,
): Promise<Message> {
  const { sprache } = await readEinstellungen(tx);
  const { zeitzone } = await readMandant(tx);
  return {
    id: alarm.id,
    art: alarm.art,
    stufe: alarm.stufe,
    titel: sprache === 'de' ? alarm.titel_de : alarm.titel_en,
    text: sprache === 'de' ? alarm.text_de : alarm.text_en,
    cockpitUrl: `${config.baseUrl}${alarm.pfad}`,
    zeitpunkt: localTime(alarm.zeitpunkt, zeitzone),
    sprache,
  };
}

/**
 * Puts the mails into the outbox, to all recipients who have agreed or, where one of them has had too many, to none (429). Resolves
 * with how many.
 */
export async function queueMails(
  tx: MandantTx,
  { secrets, config }: Pick<Sending, 'secrets' | 'config'>,
  art: Extract<ArtName, 'alarm' | 'alarm_probe'>,
  entered: string[],
  message: Message,
): Promise<number> {
  const known = await recipientsOf(tx, entered);
  const recipients = known.filter(({ empfang }) => empfang === 'bestaetigt').map(({ email }) => email);
  const reserved = await reserveMails(tx, art, recipients);
  if (reserved.wait > 0) throw mailExhausted(reserved);
  for (const an of recipients) {
    const stop = stopLinks({ secrets, config }, tx.mandant, 'alarm', an);
    await queueMail(tx, secrets, { art, mail: toMail(letterOf(message, an, stop)), gueltig: MAIL_SECONDS });
  }
  return recipients.length;
}

/** Of an all-clear: whether its alarm has come through the channel; null while that is not decided. */
async function wasTold(tx: MandantTx, alarm: AlarmRow, { kanal }: ZustellungRow): Promise<boolean | null> {
  const raised = await readRaised(tx, alarm.ursache);
  if (!raised) return false;
  const ids = [raised.alarm_id, ...(raised.sammlung_id ? [raised.sammlung_id] : [])];
  const states = (await readZustellungen(tx, ids)).filter((row) => row.kanal === kanal);
  if (states.some(({ status }) => status === 'zugestellt')) return true;
  return states.some(({ status }) => status === 'wartet') ? null : false;
}

/** What there is to do, where it is not done within the transaction. */
type Task =
  | 'nothing'
  | { waits: string; why: string; seconds?: number }
  | {
      address: string;
      kanal: AddressedKanal;
      message: Message;
      geheimnisse: Geheimnisse | null;
      frist: string;
    };

async function prepare(
  tx: MandantTx,
  context: Sending,
  alarm: AlarmRow,
  zustellung: ZustellungRow,
): Promise<Task> {
  const { zustellung_id, kanal, frist } = zustellung;
  const now = context.clock.now();
  const drop = async (fehler: Sentence): Promise<Task> => {
    await noteAttempt(tx, zustellung_id, { status: 'entfallen', fehler, now, versuche: 0 });
    return 'nothing';
  };
  const kanaele: Kanaele = await readKanaele(tx, context.secrets);
  const told = alarm.art === 'entwarnung' ? await wasTold(tx, alarm, zustellung) : true;
  if (told === null && now.getTime() < Date.parse(frist))
    return { waits: frist, why: 'the alarm itself is still on its way' };
  if (!told) return drop(NEVER_TOLD);
  const message = await messageOf(tx, context, { ...alarm, id: alarm.alarm_id });
  if (kanal === 'email') {
    if (kanaele.email.length === 0) return drop(CHANNEL_GONE);
    if ((await queueMails(tx, context, 'alarm', kanaele.email, message)) === 0) return drop(NOBODY_AGREED);
    const failed = mailwegOf(context.config) === 'log';
    const end = failed
      ? ({ status: 'aufgegeben', fehler: NO_MAIL_SERVER } as const)
      : { status: 'zugestellt' as const };
    await noteAttempt(tx, zustellung_id, { ...end, now, versuche: 1 });
    return 'nothing';
  }
  const address = (kanaele.adressen satisfies Adressen)[kanal];
  if (!address) return drop(CHANNEL_GONE);
  const seconds = kanal === 'webhook_url' ? await spend(tx, WEBHOOK_PACE) : 0;
  if (seconds > 0) return { waits: frist, why: 'many posts have just gone to the webhook', seconds };
  const geheimnisse = kanal === 'webhook_url' ? await readGeheimnisse(tx, context.secrets) : null;
  return { address, kanal, message, geheimnisse, frist };
}

/** Decides what there is to do, and does it where nothing but the database is needed. */
async function begin(context: Sending, mandant: MandantId, zustellungId: string): Promise<Task> {
  try {
    return await context.db.forMandant(mandant, async (tx): Promise<Task> => {
      if (!(await holdMandant(tx))) return 'nothing';
      const zustellung = await lockZustellung(tx, zustellungId);
      if (zustellung?.status !== 'wartet') return 'nothing';
      const alarm = await readAlarm(tx, zustellung.alarm_id);
      return alarm ? prepare(tx, context, alarm, zustellung) : 'nothing';
    });
  } catch (error) {
    // No room for the mails now: none of them is in the outbox.
    if (!(error instanceof AppError) || error.retryAfter === null) throw error;
    const latest = new Date(context.clock.now().getTime() + 3_600_000).toISOString();
    throw new TryAgain(error, latest, error.retryAfter);
  }
}

/**
 * Attempts a delivery: at least once, under an id that stays the same, should the process die before it is noted. No transaction
 * is open meanwhile. Throws `TryAgain` while it is to be tried later.
 */
export async function deliver(
  context: Sending,
  mandant: MandantId,
  zustellungId: string,
): Promise<Record<string, unknown>> {
  const { db, clock, outbound } = context;
  const task = await begin(context, mandant, zustellungId);
  if (task === 'nothing') return {};
  if ('waits' in task) throw new TryAgain(task.why, task.waits, task.seconds);
  const { address, kanal, message, geheimnisse, frist } = task;
  const outcome = await send(outbound, address, kanal, message, geheimnisse, clock.now());
  const now = clock.now();
  const status = statusAfter(outcome, now, frist);
  const { status: antwortStatus } = outcome;
  const fehler = outcome.delivered ? null : outcome.fehler;
  await db.forMandant(mandant, (tx) =>
    noteAttempt(tx, zustellungId, { status, antwortStatus, fehler, now, versuche: 1 }),
  );
  if (status === 'wartet' && !outcome.delivered)
    throw new TryAgain(outcome.fehler.en, frist, outcome.retryAfter ?? 0);
  return { kanal, status };
}
