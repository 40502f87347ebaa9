/** Findings as rows: put in, changed. Runs as the owner. */
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { Stufe } from '#contracts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { type Candidate, isShadow, typeOf } from '../candidate.ts';
import { type AgentSettings, objectOfIncident, restMinutesOf } from '../rules.ts';
import { joinIncident } from './incident.ts';
import type { KnownRow } from './known.ts';

type Client = Pick<pg.ClientBase, 'query'>;

/** Where a finding stands. */
export type RecordedFinding = Pick<KnownRow, 'befund_id' | 'vorfall_id'>;

/** A finding of this transaction: the candidate, how far it goes, and what was known of it. */
export interface Finding {
  candidate: Candidate;
  schluessel: string;
  stufe: Stufe;
  agent: AgentSettings | undefined;
  known: KnownRow | undefined;
}

const CHANGE = `UPDATE befunde SET werte = $3, kosten_eur = $4, verbrannt_eur = $5, potential_eur = $6, stufe = $7, schatten = $8, fenster_beginn = $10,
    status = CASE WHEN status = 'hinfaellig' THEN 'offen' ELSE status END, geaendert_am = $9
  WHERE mandant_id = $1 AND befund_id = $2`;
const INSERT = `INSERT INTO befunde (mandant_id, befund_id, werte, kosten_eur, verbrannt_eur, potential_eur, stufe, schatten,
    erkannt_am, geaendert_am, schluessel, typ, regel_id, objekt_art, objekt, agent, lauf_id, fenster_beginn, vorfall_id, gesagt_mal)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, 0)`;
// The incident of what is found goes on.
const GOES_ON = `UPDATE vorfaelle SET letzter_befund_am = greatest(letzter_befund_am, $3) WHERE mandant_id = $1 AND vorfall_id = $2`;
const STILL_OPEN = `SELECT FROM vorfaelle WHERE mandant_id = $1 AND vorfall_id = $2 AND status = 'offen'`;
const REOPEN = `UPDATE befunde SET status = 'offen', vorfall_id = $3 WHERE mandant_id = $1 AND befund_id = $2`;

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

const join = (client: Client, mandant: MandantId, { candidate, stufe, agent }: Finding, now: Date) =>
  joinIncident(client, mandant, {
    ...objectOfIncident(candidate),
    stufe,
    schatten: isShadow(candidate),
    restMinutes: restMinutesOf(agent),
    now,
  });

/** Writes a finding that is new. */
export async function insertFinding(
  client: Client,
  mandant: MandantId,
  finding: Finding,
  now: Date,
): Promise<RecordedFinding> {
  const { candidate, schluessel } = finding;
  const befund_id = uuidv7();
  const vorfall_id = await join(client, mandant, finding, now);
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
export async function changeFinding(
  client: Client,
  mandant: MandantId,
  finding: Finding,
  place: RecordedFinding,
  now: Date,
): Promise<void> {
  await client.query({
    name: 'befund_aendern',
    text: CHANGE,
    values: [mandant, place.befund_id, ...figuresOf(finding, now), finding.candidate.fensterBeginn],
  });
  await client.query(GOES_ON, [mandant, place.vorfall_id, now]);
}

/** A finding that somebody had done with goes on: it is open again, in an open incident. */
export async function reopenFinding(
  client: Client,
  mandant: MandantId,
  finding: Finding,
  place: RecordedFinding,
  now: Date,
): Promise<RecordedFinding> {
  const { rowCount } = await client.query(STILL_OPEN, [mandant, place.vorfall_id]);
  const vorfall_id = rowCount === 0 ? await join(client, mandant, finding, now) : place.vorfall_id;
  await client.query(REOPEN, [mandant, place.befund_id, vorfall_id]);
  return { ...place, vorfall_id };
}
