/** Trying a channel: its user sees at once whether it works. */
import { v7 as uuidv7 } from 'uuid';
import type { AlarmKanal, alarmProbe, ResponseOf } from '#contracts';
import { readKanaele } from '#domains/mandant/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { mailwegOf } from '#platform/mail.ts';
import type { Message } from '../channels/message.ts';
import { readGeheimnisse } from '../einstellungen.ts';
import { channelNotSetUp } from '../errors.ts';
import type { Outcome } from '../rules.ts';
import { send } from '../send.ts';
import { messageOf, NO_MAIL_SERVER, NOBODY_AGREED, queueMails, type Sending } from './deliver.ts';

const probe = (now: Date) => ({
  id: uuidv7(),
  art: 'probe' as const,
  stufe: 'warnen' as const,
  titel_de: 'Dieser Kanal ist erreichbar',
  titel_en: 'This channel can be reached',
  text_de: 'So kommen die Alarme von Zählwerk hier an. Es ist nichts geschehen.',
  text_en: 'This is how alarms of Zählwerk arrive here. Nothing has happened.',
  pfad: '/einstellungen/alarme',
  zeitpunkt: now.toISOString(),
});

const record = (tx: MandantTx, akteur: Akteur, kanal: AlarmKanal, now: Date) =>
  recordChange(tx, tx.mandant, now, {
    akteur,
    aktion: 'alarme.probe',
    objekt: { art: 'alarmkanal', id: kanal },
  });

/** Sends what was noted before in a transaction of its own, as whatever acts outward. */
async function sendProbe(
  context: Sending,
  mandant: MandantId,
  akteur: Akteur,
  kanal: Exclude<AlarmKanal, 'email'>,
): Promise<Outcome> {
  const now = context.clock.now();
  const { address, message, geheimnisse } = await context.db.forMandant(mandant, async (tx) => {
    const { adressen } = await readKanaele(tx, context.secrets);
    const found = adressen[kanal];
    if (!found) throw channelNotSetUp();
    await record(tx, akteur, kanal, now);
    const content: Message = await messageOf(tx, context, probe(now));
    return { address: found, message: content, geheimnisse: await readGeheimnisse(tx, context.secrets) };
  });
  return send(context.outbound, address, kanal, message, geheimnisse, now);
}

async function mailProbe(context: Sending, mandant: MandantId, akteur: Akteur): Promise<Outcome> {
  const now = context.clock.now();
  return context.db.forMandant(mandant, async (tx): Promise<Outcome> => {
    const { email } = await readKanaele(tx, context.secrets);
    if (email.length === 0) throw channelNotSetUp();
    await record(tx, akteur, 'email', now);
    const mails = await queueMails(
      tx,
      context,
      'alarm_probe',
      email,
      await messageOf(tx, context, probe(now)),
    );
    const refused = mails === 0 ? NOBODY_AGREED : null;
    const fehler = mailwegOf(context.config) === 'log' ? NO_MAIL_SERVER : refused;
    if (fehler === null) return { delivered: true, status: null };
    return { delivered: false, status: null, fehler, final: true, retryAfter: null };
  });
}

/** Sends a test through the channel and tells how that went. Throws 409 when it is not set up. */
export async function probeChannel(
  context: Sending,
  mandant: MandantId,
  akteur: Akteur,
  kanal: AlarmKanal,
): Promise<ResponseOf<typeof alarmProbe>> {
  const started = performance.now();
  const outcome =
    kanal === 'email'
      ? await mailProbe(context, mandant, akteur)
      : await sendProbe(context, mandant, akteur, kanal);
  return {
    kanal,
    zugestellt: outcome.delivered,
    antwort_status: outcome.status,
    fehler: outcome.delivered ? null : outcome.fehler,
    dauer_ms: Math.round(performance.now() - started),
  };
}
