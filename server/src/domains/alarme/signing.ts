/** Signatures of the general webhook, as Standard Webhooks 1.0 has them (symmetric, `v1`). */
import { createHmac, randomBytes } from 'node:crypto';

export interface Geheimnisse {
  aktuell: string;
  /** When it was made, ISO 8601. */
  seit: string;
  /** Those before, which are signed with as well until they end. */
  frueher: { geheimnis: string; bis: string }[];
}

const PREFIX = 'whsec_';
/** Hours in which receivers may change over. */
const OVERLAP_HOURS = 24;
/** However often it is renewed within a day. */
const MOST_FORMER = 5;

const stillValid = ({ frueher }: Geheimnisse, now: Date) =>
  frueher.filter(({ bis }) => Date.parse(bis) > now.getTime());

/** A new secret, with the one before valid for a day on. */
export function renewed(before: Geheimnisse | null, now: Date): Geheimnisse {
  const aktuell = `${PREFIX}${randomBytes(32).toString('base64')}`;
  const bis = new Date(now.getTime() + OVERLAP_HOURS * 3_600_000).toISOString();
  const frueher = before ? [{ geheimnis: before.aktuell, bis }, ...stillValid(before, now)] : [];
  return { aktuell, seit: now.toISOString(), frueher: frueher.slice(0, MOST_FORMER) };
}

/** Until when a secret before the current one is signed with as well; null for none. */
export const formerUntil = (geheimnisse: Geheimnisse, now: Date): string | null =>
  stillValid(geheimnisse, now)[0]?.bis ?? null;

const sign = (geheimnis: string, content: string): string => {
  const key = Buffer.from(geheimnis.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
};

/** The headers of one attempt. The id stays the same over all attempts, so that receivers know a repetition. */
export function webhookHeaders(
  geheimnisse: Geheimnisse | null,
  id: string,
  body: string,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (geheimnisse === null) return headers;
  const all = [geheimnisse.aktuell, ...stillValid(geheimnisse, now).map(({ geheimnis }) => geheimnis)];
  const signatures = all.map((geheimnis) => sign(geheimnis, `${id}.${timestamp}.${body}`));
  return { ...headers, 'webhook-signature': signatures.join(' ') };
}
