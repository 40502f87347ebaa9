/** The general webhook, for programs: six fields, signed. */
import { type Geheimnisse, webhookHeaders } from '../signing.ts';
import type { ChannelRequest, Message } from './message.ts';

const QUELLE = 'Zählwerk';

export function webhookRequest(
  { id, art, titel, text, cockpitUrl, zeitpunkt }: Message,
  geheimnisse: Geheimnisse | null,
  now: Date,
): ChannelRequest {
  const body = JSON.stringify({
    quelle: QUELLE,
    typ: art,
    titel,
    text,
    cockpit_url: cockpitUrl,
    zeitpunkt,
  });
  const signed = webhookHeaders(geheimnisse, `msg_${id}`, body, now);
  return { headers: { 'content-type': 'application/json', ...signed }, body };
}
