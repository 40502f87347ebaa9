/** What the statements over calls have in common: their values, the scope of the rule, the form of what they find. */
import type { DetectedType, Objektart } from '#contracts';
import { minutesOf, type Regel } from '#domains/regeln/index.ts';
import type { Found } from '../candidate.ts';
import { asRule, type Look, MAX_CANDIDATES } from '../detector.ts';
import { CALL_COLUMNS } from './columns.ts';
import { createValues, type Values } from './values.ts';

export { createValues, type Values };

const COLUMNS = {
  projekt: 'projekt',
  agent: 'agent',
  endkunde: 'endkunde_ref',
  funktion: 'funktion_ref',
  modell: 'modell',
} as const;

/** Condition on rows `alias`: those the rule holds for. */
export function scopeOf({ geltungsbereich, bezug }: Regel, alias: string, values: Values): string {
  if (bezug === null || geltungsbereich === 'mandant') return 'true';
  // '' is how sums name calls without a value.
  return `coalesce(${alias}.${COLUMNS[geltungsbereich]}, '') = ${values.of(bezug, 'text')}`;
}

/** As LIKE has it: `*` at the end stands for any rest of a name. */
export const toLike = (name: string): string => name.replace(/[\\%_]/g, '\\$&').replace(/\*$/, '%');

/** Condition on calls `alias`: those that the rule does not leave out. Of runs only their agent is known (`funktion` null). */
export function notExcepted(
  { parameter }: { parameter: { ausnahmen: readonly string[] } },
  alias: string,
  values: Values,
  funktion: string | null = 'funktion_ref',
): string {
  if (parameter.ausnahmen.length === 0) return 'true';
  const patterns = values.of(parameter.ausnahmen.map(toLike), 'text[]');
  const byFunction = funktion === null ? '' : ` OR coalesce(${alias}.${funktion}, '') LIKE ANY(${patterns})`;
  return `NOT (${alias}.agent LIKE ANY(${patterns})${byFunction})`;
}

/** Rates of the model of a call `a`, as a join of `p`: a few rows, looked through for each call (OFFSET 0). */
export const PRICE_OF_CALL = `LEFT JOIN LATERAL (SELECT * FROM detektoren_preise p
  WHERE p.modell = a.modell AND p.anbieter = a.anbieter AND p.von <= a.zeitpunkt AND a.zeitpunkt < p.bis
    AND p.ab < a.eingabe AND a.eingabe <= p.hoechstens OFFSET 0) AS p ON true`;

/** A bounded list of different values as JSON, in their order; null is none. */
export const someOf = (value: string, most: number) =>
  `coalesce(to_jsonb((array_agg(DISTINCT ${value}) FILTER (WHERE ${value} IS NOT NULL))[1:${most}]), '[]')`;

interface FoundRow {
  objekt: string;
  agent: string | null;
  lauf: string | null;
  beginn: string;
  ende: string;
  feuert?: string | null;
  /** When the last call was received, where they came in as they were made (`receivedLive`); else null or left out. */
  empfangen?: string | null;
  /** It goes no further than to warn; left out: as far as the rule. */
  nur_warnen?: boolean;
  werte: Record<string, unknown>;
  kosten_eur: string | null;
  verbrannt_eur: string | null;
  potential_eur: string | null;
}

/** A part of a WITH, `aufrufe`: the calls of the look, read where they lie, as far as their columns are asked for. */
export function callsOfLook(look: Look, values: Values): string {
  const [mandant, von, bis] = [
    values.of(look.mandant, 'uuid'),
    values.of(look.von.toString(), 'timestamptz'),
    values.of(look.bis.toString(), 'timestamptz'),
  ];
  const own = look.prompts
    ? `AND e.prompt_fingerabdruck = ANY (${values.of(
        look.prompts.map((prompt) => Buffer.from(prompt, 'hex')),
        'bytea[]',
      )})`
    : '';
  const ofAgents = look.agenten ? `AND e.agent = ANY (${values.of(look.agenten, 'text[]')})` : '';
  // Few of many are looked for once; of all of them no more than the columns that are asked for.
  return `aufrufe AS ${look.prompts ? '' : 'NOT'} MATERIALIZED (SELECT ${CALL_COLUMNS} FROM ereignisse e
    WHERE e.mandant_id = ${mandant} AND e.zeitpunkt >= ${von} AND e.zeitpunkt < ${bis} ${own} ${ofAgents})`;
}

/**
 * Runs a statement that gives `objekt`, `agent`, `lauf`, `beginn`, `ende`, `feuert` (or not), `werte` and the three amounts; what
 * they are about is `objektArt`. The latest first.
 */
export async function findBy<T extends DetectedType>(
  look: Look,
  regel: Regel<T>,
  objektArt: Objektart,
  statement: { text: string; values: Values },
): Promise<Found[]> {
  const { rows } = await look.client.query<FoundRow>(
    `WITH gefunden AS (${statement.text})
     -- The amounts once more, as they are told.
     SELECT g.*, trim_scale(kosten_eur)::text AS kosten_eur,
       trim_scale(verbrannt_eur)::text AS verbrannt_eur, trim_scale(potential_eur)::text AS potential_eur
     FROM gefunden g ORDER BY beginn DESC, objekt LIMIT ${MAX_CANDIDATES / (look.part?.of ?? 1)}`,
    statement.values.all,
  );
  return rows.map(
    ({ objekt, agent, lauf, beginn, ende, feuert, empfangen, nur_warnen, werte, ...money }) => ({
      regel: asRule(regel),
      objektArt,
      objekt,
      agent,
      lauf,
      fensterBeginn: beginn,
      feuertAm: feuert ?? null,
      werte: { ...werte, bis: ende },
      ...(empfangen ? { empfangenAm: empfangen } : {}),
      ...(nur_warnen ? { hoechstens: 'warnen' as const } : {}),
      kostenEur: money.kosten_eur,
      verbranntEur: money.verbrannt_eur,
      potentialEur: money.potential_eur,
    }),
  );
}

const DAY = 1_440;

/** Minutes of the window of a rule: a duration, of at most a day. */
export function windowMinutes({ zeitfenster }: Regel): number {
  const minutes = minutesOf(zeitfenster ?? '');
  return minutes === null ? DAY : Math.min(minutes, DAY);
}

/**
 * When the last of the steps `a` of a group was received, as an aggregate: null where they did not come in as they were made, over half as long
 * a time at least. What is imported, or delivered late, comes in at once.
 */
export const receivedLive = `CASE WHEN max(a.zeitpunkt) > min(a.zeitpunkt)
    AND (max(a.empfangen) - min(a.empfangen)) * 2 >= max(a.zeitpunkt) - min(a.zeitpunkt) THEN max(a.empfangen) END`;

/** Beginning of the local hour or day (`unit`) of an instant, as SQL. */
export const beginOf = (unit: 'hour' | 'day', instant: string, zone: string) =>
  `date_trunc('${unit}', ${instant}, ${zone})`;
