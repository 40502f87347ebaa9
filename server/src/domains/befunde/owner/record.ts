/**
 * Findings become incidents, interventions and alarms, all in the transaction of the finder. Runs as the owner. One
 * writer per Mandant at a time; what was found before is changed, never added.
 */

import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import {
  extendOrder,
  insertEingriffe,
  type LatestOrder,
  readLatestOrders,
} from '#domains/eingriffe/index.ts';
import { type RegelVon, readActiveRules } from '#domains/regeln/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { type Candidate, isShadow, typeOf } from '../candidate.ts';
import { type Ordering, orderingOf } from '../orders.ts';
import { isAtLeast, levelOf, objectOfIntervention, untilOf } from '../rules.ts';
import { sentenceOf } from '../sentences.ts';
import { extentOf, isDoubled } from '../telling.ts';
import {
  changeFinding,
  type Finding,
  insertFinding,
  type RecordedFinding,
  reopenFinding,
} from './finding.ts';
import { readKeys } from './keys.ts';
import { readAgents, readKnown, toldOf } from './known.ts';
import { noteExtent, tell } from './tell.ts';

type Client = Pick<pg.ClientBase, 'query'>;

/** What became of candidates. */
export interface Recorded {
  neu: number;
  geaendert: number;
  eingriffe: number;
  alarme: number;
}

const LOCK = `SELECT pg_advisory_xact_lock(hashtext('befunde'), hashtext($1::text))`;

/** What is to be done about a finding now. */
interface Due {
  /** It is new, goes further than before, or is for real now. */
  isNew: boolean;
  /** It has come to twice what was told last. */
  isMore: boolean;
  /** Nothing is known yet of what was told last. */
  isUntold: boolean;
  ordering: Ordering;
  until: Date | null;
}

/** Whether it is as if it was found for the first time. */
function isNewFinding({ known, stufe, candidate }: Finding): boolean {
  if (!known || known.status === 'hinfaellig') return true;
  const schatten = isShadow(candidate);
  return (known.schatten && !schatten) || (known.schatten === schatten && !isAtLeast(known.stufe, stufe));
}

const holdsOn = ({ bis }: Candidate, now: Date): boolean =>
  bis === null || (bis !== undefined && Date.parse(bis) > now.getTime());

function dueOf(finding: Finding, order: LatestOrder | undefined, now: Date): Due {
  const { known, candidate, stufe, agent } = finding;
  const until = untilOf(stufe, candidate, agent, now);
  if (known?.status === 'ignoriert')
    return { isNew: false, isMore: false, isUntold: false, ordering: 'none', until };
  const isNew = isNewFinding(finding);
  const goesOn = !known?.gleich || holdsOn(candidate, now);
  const cause = { stufe, schatten: isShadow(candidate), isNew, goesOn, until, order };
  const isUntold = known !== undefined && known.gesagt_mal === null;
  return {
    isNew,
    isMore: known !== undefined && !candidate.nurEinmal && isDoubled(toldOf(known), extentOf(candidate)),
    isUntold,
    ordering: orderingOf(cause, now),
    until,
  };
}

/** What a rule is, but for its name. */
const ESSENCE = [
  'typ',
  'geltungsbereich',
  'bezug',
  'schwelle',
  'einheit',
  'stufe',
  'zeitfenster',
  'schattenbetrieb',
  'parameter',
] as const satisfies (keyof RegelVon)[];

const isSame = (a: RegelVon, b: RegelVon): boolean =>
  ESSENCE.every((field) => isDeepStrictEqual(a[field] ?? null, b[field] ?? null));

/** Tells whether a rule is still as it was when it found this, and its cause still there: both may have been changed meanwhile. */
function createRecheck(client: Client, mandant: MandantId) {
  let active: Promise<RegelVon[]> | undefined;
  return async ({ regel, gilt }: Candidate): Promise<boolean> => {
    if (regel === null) return !gilt || (await gilt());
    active ??= readActiveRules(client, [mandant]).then((rules) => rules.get(mandant) ?? []);
    const own = (await active).find(({ regel_id }) => regel_id === regel.regel_id);
    return own !== undefined && isSame(own, regel) && (!gilt || (await gilt()));
  };
}

async function order(
  client: Client,
  mandant: MandantId,
  finding: Finding,
  place: RecordedFinding,
  due: Due,
  now: Date,
) {
  const { candidate, stufe } = finding;
  if (due.ordering === 'none') return 0;
  if (due.ordering !== 'new') {
    await extendOrder(client, mandant, due.ordering.extend, due.until);
    return 0;
  }
  await insertEingriffe(client, mandant, [
    {
      eingriff_id: uuidv7(),
      stufe,
      ...objectOfIntervention(stufe, candidate),
      schatten: isShadow(candidate),
      regel_id: candidate.regel?.regel_id ?? null,
      befund_id: place.befund_id,
      grund: sentenceOf({ ...candidate, typ: typeOf(candidate) }),
      beginn: now,
      bis: due.until,
    },
  ]);
  return 1;
}

/** What is done about a finding. In shadow mode nothing but the note of what would have been. */
async function act(
  client: Client,
  mandant: MandantId,
  finding: Finding,
  place: RecordedFinding,
  { due, lifted, now }: { due: Due; lifted: boolean; now: Date },
): Promise<Pick<Recorded, 'eingriffe' | 'alarme'>> {
  const eingriffe = await order(client, mandant, finding, place, due, now);
  const actsAgain = due.ordering === 'new' && lifted;
  const occasion = due.isNew ? 'neu' : due.isMore || actsAgain ? 'mehr' : null;
  const alarme = occasion ? await tell(client, mandant, finding, place, { occasion, now }) : 0;
  if (due.isNew || due.isMore || due.isUntold || alarme > 0)
    await noteExtent(client, mandant, finding, place);
  return { eingriffe, alarme };
}

/** Writes down a finding; resolves with where it stands. */
async function write(
  client: Client,
  mandant: MandantId,
  finding: Finding,
  due: Due,
  now: Date,
): Promise<RecordedFinding> {
  const { known } = finding;
  if (!known) return insertFinding(client, mandant, finding, now);
  await changeFinding(client, mandant, finding, known, now);
  // Who had done with it did not know how far it would go.
  return due.isMore && known.status === 'erledigt'
    ? reopenFinding(client, mandant, finding, known, now)
    : known;
}

/** Records what rules have found for a Mandant, and does what follows from it. */
export async function recordFindings(
  client: Client,
  mandant: MandantId,
  candidates: Candidate[],
  now: Date,
): Promise<Recorded> {
  const recorded: Recorded = { neu: 0, geaendert: 0, eingriffe: 0, alarme: 0 };
  if (candidates.length === 0) return recorded;
  await client.query(LOCK, [mandant]);
  const byKey = await readKeys(client, mandant, candidates);
  const agents = await readAgents(client, mandant, candidates);
  const known = await readKnown(client, mandant, byKey);
  const orders = await readLatestOrders(
    client,
    mandant,
    [...known.values()].map(({ befund_id }) => befund_id),
  );
  const isCurrent = createRecheck(client, mandant);
  for (const [schluessel, candidate] of byKey) {
    const agent = candidate.agent === null ? undefined : agents.get(candidate.agent);
    const stufe = levelOf(candidate, agent, now);
    const finding = { candidate, schluessel, stufe, agent, known: known.get(schluessel) };
    const latest = orders.get(finding.known?.befund_id ?? '');
    const due = dueOf(finding, latest, now);
    const acts = due.isNew || due.isMore || due.ordering !== 'none';
    if (finding.known?.gleich && !acts) continue;
    if (acts && !(await isCurrent(candidate))) continue;
    const place = await write(client, mandant, finding, due, now);
    recorded[finding.known ? 'geaendert' : 'neu'] += 1;
    const lifted = latest !== undefined && latest.aufgehoben_am !== null;
    const done = await act(client, mandant, finding, place, { due, lifted, now });
    recorded.eingriffe += done.eingriffe;
    recorded.alarme += done.alarme;
  }
  return recorded;
}
