/** Alarms about findings: when they are new, and again when they have come to twice as much. Runs as the owner. */
import type pg from 'pg';
import type { Regeltyp } from '#contracts';
import { raiseAlarm } from '#domains/alarme/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Sentence } from '#kernel/sentence.ts';
import { isShadow, typeOf } from '../candidate.ts';
import { isAtLeast, restMinutesOf } from '../rules.ts';
import { sentenceOf, titleOf } from '../sentences.ts';
import { extentOf } from '../telling.ts';
import type { Finding, RecordedFinding } from './finding.ts';

type Client = Pick<pg.ClientBase, 'query'>;

/** Why it raises an alarm: it is new; it goes on. */
export type Occasion = 'neu' | 'mehr';

/** What these tell of is the same, in other figures: that a budget will not last. The first of them raises the alarm. */
const KIN: readonly string[] = ['budget_tempo', 'budget_prognose'] satisfies Regeltyp[];

/** How many findings of the rule, or its kin, the incident has, and of how many it has told within the rest period; null of none. */
const IN_INCIDENT = `SELECT count(*)::int AS befunde,
    (max(coalesce(gesagt_im_vorfall, 1)) FILTER (WHERE alarm_am > $4))::int AS gesagt
  FROM befunde WHERE mandant_id = $1 AND vorfall_id = $2 AND (regel_id IS NOT DISTINCT FROM $3 OR typ = ANY ($5::text[]))`;
const NOTE =
  'UPDATE befunde SET gesagt_eur = $3, gesagt_anzahl = $4 WHERE mandant_id = $1 AND befund_id = $2';
const TOLD = `UPDATE befunde SET alarm_am = $3, gesagt_mal = coalesce(gesagt_mal, 0) + 1, gesagt_im_vorfall = $4
  WHERE mandant_id = $1 AND befund_id = $2`;

/** Each alarm of it is a cause of its own, so that no alarm is taken for one that is there already. */
export const causeOf = (schluessel: string, times: number): string =>
  times <= 1 ? schluessel : `${schluessel}|${times}`;

/** Remembers what it comes to now: the next alarm is at twice as much. */
export async function noteExtent(
  client: Client,
  mandant: MandantId,
  { candidate }: Finding,
  { befund_id }: RecordedFinding,
): Promise<void> {
  const { eur, anzahl } = extentOf(candidate);
  await client.query(NOTE, [mandant, befund_id, eur, anzahl]);
}

/** How often it was told before; what a former release has told was told once. */
const timesOf = ({ known }: Finding): number => known?.gesagt_mal ?? (known?.alarm_am ? 1 : 0);

const ordinal = (count: number): Sentence => ({
  de: ` Das ist der ${count}. Lauf im selben Vorfall.`,
  en: ` This is run no. ${count} of the same incident.`,
});
const NOTHING: Sentence = { de: '', en: '' };
const GOES_ON: Sentence = { de: ' (dauert an)', en: ' (goes on)' };

const plus = (a: Sentence, b: Sentence): Sentence => ({ de: a.de + b.de, en: a.en + b.en });

/**
 * How many findings of its rule the incident has, where it is to be told of this one; null where the rule keeps quiet: it has told of this
 * incident within the rest period. Of runs that are acted on it tells nevertheless once they are twice as many.
 */
async function countToTell(
  client: Client,
  mandant: MandantId,
  { candidate, stufe, agent }: Finding,
  { vorfall_id }: RecordedFinding,
  now: Date,
): Promise<number | null> {
  const since = new Date(now.getTime() - restMinutesOf(agent) * 60_000);
  const rule = candidate.regel?.regel_id ?? null;
  const { rows } = await client.query<{ befunde: number; gesagt: number | null }>(IN_INCIDENT, [
    mandant,
    vorfall_id,
    rule,
    since,
    KIN.includes(typeOf(candidate)) ? KIN : [],
  ]);
  const { befunde = 1, gesagt = null } = rows[0] ?? {};
  // Each threshold of a budget raises an alarm of its own, once.
  if (gesagt === null || candidate.teil !== undefined) return befunde;
  const isStopped = candidate.objektArt === 'lauf' && isAtLeast(stufe, 'drosseln');
  return isStopped && befunde >= 2 * gesagt ? befunde : null;
}

/** Raises an alarm, where the finding is to be told at all; resolves with how many. */
export async function tell(
  client: Client,
  mandant: MandantId,
  finding: Finding,
  place: RecordedFinding,
  { occasion, now }: { occasion: Occasion; now: Date },
): Promise<number> {
  const { candidate, schluessel, stufe } = finding;
  if (isShadow(candidate) || !isAtLeast(stufe, 'warnen')) return 0;
  const count = occasion === 'neu' ? await countToTell(client, mandant, finding, place, now) : null;
  if (occasion === 'neu' && count === null) return 0;
  const told = { ...candidate, typ: typeOf(candidate) };
  const times = timesOf(finding) + 1;
  const isFurther = candidate.objektArt === 'lauf' && count !== null && count > 1;
  await raiseAlarm(client, mandant, {
    ursache: causeOf(schluessel, times),
    stufe,
    titel: plus(titleOf(told, stufe, now), occasion === 'mehr' ? GOES_ON : NOTHING),
    text: plus(sentenceOf(told), isFurther ? ordinal(count) : NOTHING),
    pfad: `/befunde/${place.befund_id}`,
    betragEur: candidate.kostenEur,
  });
  await client.query(TOLD, [mandant, place.befund_id, now, count]);
  return 1;
}
