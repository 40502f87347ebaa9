/**
 * Findings become incidents, interventions and alarms, all in the transaction of whoever found them. Runs as the owner. One
 * writer per Mandant at a time; what was found before is changed, never added.
 */
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { Stufe } from '#contracts';
import { raiseAlarm } from '#domains/alarme/index.ts';
import { insertEingriffe } from '#domains/eingriffe/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { type Candidate, isShadow, typeOf } from '../candidate.ts';
import {
  type AgentSettings,
  isAtLeast,
  levelOf,
  objectOfIncident,
  objectOfIntervention,
  restMinutesOf,
  untilOf,
} from '../rules.ts';
import { sentenceOf, titleOf } from '../sentences.ts';
import { joinIncident } from './incident.ts';
import { readKeys } from './keys.ts';

type Client = Pick<pg.ClientBase, 'query'>;

/** What became of candidates. */
export interface Recorded {
  neu: number;
  geaendert: number;
  eingriffe: number;
  alarme: number;
}

interface KnownRow {
  befund_id: string;
  schluessel: string;
  stufe: Stufe;
  schatten: boolean;
  vorfall_id: string;
  /** It did not hold any more. */
  hinfaellig: boolean;
  gleich: boolean;
}

/** Where a finding stands. */
type Place = Pick<KnownRow, 'befund_id' | 'vorfall_id'>;

/** A finding of this transaction: the candidate, how far it goes, and what was known of it. */
interface Finding {
  candidate: Candidate;
  schluessel: string;
  stufe: Stufe;
  agent: AgentSettings | undefined;
  known: KnownRow | undefined;
}

const LOCK = `SELECT pg_advisory_xact_lock(hashtext('befunde'), hashtext($1::text))`;
const AGENTS = `SELECT schluessel, eingriffsstufe, ruhezeit FROM agenten
  WHERE mandant_id = $1 AND schluessel = ANY ($2::text[]) AND (eingriffsstufe IS NOT NULL OR ruhezeit IS NOT NULL)`;
// What did not change is not written again: a rule finds the same thing with every look.
const KNOWN = `SELECT b.befund_id, b.schluessel, b.stufe, b.schatten, b.vorfall_id,
    b.status = 'hinfaellig' AS hinfaellig,
    b.fenster_beginn = n.beginn AND b.werte = n.werte AND b.kosten_eur IS NOT DISTINCT FROM n.kosten
      AND b.verbrannt_eur IS NOT DISTINCT FROM n.verbrannt AND b.potential_eur IS NOT DISTINCT FROM n.potential AS gleich
  FROM unnest($2::text[], $3::jsonb[], $4::numeric[], $5::numeric[], $6::numeric[], $7::timestamptz[])
    AS n (schluessel, werte, kosten, verbrannt, potential, beginn)
  JOIN befunde b ON b.mandant_id = $1 AND b.schluessel = n.schluessel`;
const CHANGE = `UPDATE befunde SET werte = $3, kosten_eur = $4, verbrannt_eur = $5, potential_eur = $6, stufe = $7, schatten = $8, fenster_beginn = $10,
    status = CASE WHEN status = 'hinfaellig' THEN 'offen' ELSE status END, geaendert_am = $9
  WHERE mandant_id = $1 AND befund_id = $2`;
const INSERT = `INSERT INTO befunde (mandant_id, befund_id, werte, kosten_eur, verbrannt_eur, potential_eur, stufe, schatten,
    erkannt_am, geaendert_am, schluessel, typ, regel_id, objekt_art, objekt, agent, lauf_id, fenster_beginn, vorfall_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`;
// The incident of what is found goes on.
const GOES_ON = `UPDATE vorfaelle SET letzter_befund_am = greatest(letzter_befund_am, $3) WHERE mandant_id = $1 AND vorfall_id = $2`;
/** Whether the rule has told of this incident within the rest period. */
const RESTS = `SELECT FROM befunde
  WHERE mandant_id = $1 AND vorfall_id = $2 AND regel_id IS NOT DISTINCT FROM $3 AND alarm_am > $4 LIMIT 1`;
const TOLD = 'UPDATE befunde SET alarm_am = $3 WHERE mandant_id = $1 AND befund_id = $2';

/** What the agents of these candidates let be done about them, by key; those without a setting are left out. */
export async function readAgents(client: Client, mandant: MandantId, candidates: Candidate[]) {
  const keys = [...new Set(candidates.flatMap(({ agent }) => agent ?? []))];
  if (keys.length === 0) return new Map<string, AgentSettings>();
  const { rows } = await client.query<AgentSettings & { schluessel: string }>(AGENTS, [mandant, keys]);
  return new Map(rows.map((row) => [row.schluessel, row]));
}

async function readKnown(client: Client, mandant: MandantId, byKey: Map<string, Candidate>) {
  const candidates = [...byKey.values()];
  const { rows } = await client.query<KnownRow>(KNOWN, [
    mandant,
    [...byKey.keys()],
    candidates.map(({ werte }) => JSON.stringify(werte)),
    candidates.map(({ kostenEur }) => kostenEur),
    candidates.map(({ verbranntEur }) => verbranntEur),
    candidates.map(({ potentialEur }) => potentialEur),
    candidates.map(({ fensterBeginn }) => fensterBeginn),
  ]);
  return new Map(rows.map((row) => [row.schluessel, row]));
}

/** The columns that a finding found again may change, in the order of both statements. */
const figuresOf = ({ candidate, stufe }: Finding, now: Date) => [
  JSON.stringify(candidate.werte),
  candidate.kostenEur,
  candidate.verbranntEur,
  candidate.potentialEur,
  stufe,
  isShadow(candidate),
  now,
];

/** Writes a finding that is new. */
async function insert(client: Client, mandant: MandantId, finding: Finding, now: Date): Promise<Place> {
  const { candidate, schluessel, stufe, agent } = finding;
  const befund_id = uuidv7();
  const vorfall_id = await joinIncident(client, mandant, {
    ...objectOfIncident(candidate),
    stufe,
    schatten: isShadow(candidate),
    restMinutes: restMinutesOf(agent),
    now,
  });
  await client.query({
    name: 'befund',
    text: INSERT,
    values: [
      mandant,
      befund_id,
      ...figuresOf(finding, now),
      schluessel,
      typeOf(candidate),
      candidate.regel?.regel_id ?? null,
      candidate.objektArt,
      candidate.objekt,
      candidate.agent,
      candidate.lauf,
      candidate.fensterBeginn,
      vorfall_id,
    ],
  });
  return { befund_id, vorfall_id };
}

/** Writes what is new about a finding that is known. */
async function change(client: Client, mandant: MandantId, finding: Finding, place: Place, now: Date) {
  await client.query({
    name: 'befund_aendern',
    text: CHANGE,
    values: [mandant, place.befund_id, ...figuresOf(finding, now), finding.candidate.fensterBeginn],
  });
  await client.query(GOES_ON, [mandant, place.vorfall_id, now]);
}

/** Whether the rule keeps quiet about it: it has told of this incident within the rest period. */
async function rests(
  client: Client,
  mandant: MandantId,
  { candidate, agent }: Finding,
  { vorfall_id }: Place,
  now: Date,
): Promise<boolean> {
  const since = new Date(now.getTime() - restMinutesOf(agent) * 60_000);
  const rule = candidate.regel?.regel_id ?? null;
  const { rowCount } = await client.query(RESTS, [mandant, vorfall_id, rule, since]);
  return rowCount !== 0;
}

async function tell(client: Client, mandant: MandantId, finding: Finding, place: Place, now: Date) {
  const { candidate, schluessel, stufe } = finding;
  // Each threshold of a budget is told of for itself, once.
  if (candidate.teil === undefined && (await rests(client, mandant, finding, place, now))) return 0;
  const told = { ...candidate, typ: typeOf(candidate) };
  await raiseAlarm(client, mandant, {
    ursache: schluessel,
    stufe,
    titel: titleOf(told, stufe, now),
    text: sentenceOf(told),
    pfad: `/befunde/${place.befund_id}`,
    betragEur: candidate.kostenEur,
  });
  await client.query(TOLD, [mandant, place.befund_id, now]);
  return 1;
}

/** What is done about a finding. In shadow mode nothing but the note of what would have been. */
async function act(
  client: Client,
  mandant: MandantId,
  finding: Finding,
  place: Place,
  now: Date,
): Promise<Pick<Recorded, 'eingriffe' | 'alarme'>> {
  const { candidate, stufe, agent } = finding;
  const intervenes = isAtLeast(stufe, 'drosseln');
  if (intervenes)
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
        bis: untilOf(stufe, candidate, agent, now),
      },
    ]);
  const tells = !isShadow(candidate) && isAtLeast(stufe, 'warnen');
  const alarme = tells ? await tell(client, mandant, finding, place, now) : 0;
  return { eingriffe: Number(intervenes), alarme };
}

/** Whether something is to be done about a finding: it is new, goes further than before, or is for real now. */
function isToBeActedOn({ known, stufe, candidate }: Finding): boolean {
  if (!known || known.hinfaellig) return true;
  const schatten = isShadow(candidate);
  return (known.schatten && !schatten) || (known.schatten === schatten && !isAtLeast(known.stufe, stufe));
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
  for (const [schluessel, candidate] of byKey) {
    const agent = candidate.agent === null ? undefined : agents.get(candidate.agent);
    const finding = {
      candidate,
      schluessel,
      stufe: levelOf(candidate, agent, now),
      agent,
      known: known.get(schluessel),
    };
    const acts = isToBeActedOn(finding);
    if (finding.known?.gleich && !acts) continue;
    if (finding.known) await change(client, mandant, finding, finding.known, now);
    recorded[finding.known ? 'geaendert' : 'neu'] += 1;
    const place = finding.known ?? (await insert(client, mandant, finding, now));
    if (!acts) continue;
    const done = await act(client, mandant, finding, place, now);
    recorded.eingriffe += done.eingriffe;
    recorded.alarme += done.alarme;
  }
  return recorded;
}
