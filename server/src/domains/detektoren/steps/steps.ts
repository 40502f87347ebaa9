/** What detectors of runs have in common: they name steps, and what those come to is put together here. */
import { type DetectedType, MAX_NAMEN, MAX_SCHRITTE } from '#contracts';
import type { Regel } from '#domains/regeln/index.ts';
import {
  createValues,
  findBy,
  PRICE_OF_CALL,
  receivedLive,
  scopeOf,
  someOf,
  type Values,
} from '../calls/statement.ts';
import type { Found } from '../candidate.ts';
import type { Calls, Look } from '../detector.ts';

/** Steps as SQL. */
export interface Stellen {
  /**
   * Parts of a WITH, comma-separated, of which `stellen` has a row for each step: `lauf_id`, `nr`, and `gruppe`, a number that is
   * the same for the steps of one finding of the run.
   */
  stellen: string;
  /** Further figures, as arguments of jsonb_build_object over `a` (the call), `s` (the step) and `p` (its rates); '' for none. */
  werte: string;
  /** What is burnt, and what could be saved, of a step `s` (`s.platz` is its place in the finding, from 1); null: nothing known. */
  verbrannt?: string;
  potential?: string;
  /** Whether a finding of these steps goes no further than to warn, as an aggregate; it goes as far as the rule unless given. */
  nurWarnen?: string;
  /** Which steps `s` are meant where calls are told one by one; all of them unless given. */
  gemeint?: string;
  /** With which steps `s` of a finding the rule comes to hold; the first of them counts. */
  feuert: string;
}

/** Whether the rates `p` of the models of steps are asked for. */
interface Priced {
  priced: boolean;
}

/** Few steps of all: looked up one by one (OFFSET 0 keeps the planner from reading all of them instead). */
const CALL_OF_STEP =
  'SELECT * FROM detektoren_schritte v WHERE v.lauf_id = s.lauf_id AND v.nr = s.nr OFFSET 0';
const SCHRITT = 'coalesce(a.schritt_nr, a.nr)';

/** Steps counted within their findings, as a part of a WITH. */
const GEZAEHLT =
  'gezaehlt AS (SELECT *, row_number() OVER (PARTITION BY lauf_id, gruppe ORDER BY nr) AS platz FROM stellen)';

/** From each step to its run, its call and, where needed, its rates; only those the rule holds for. */
const fromSteps = (regel: Regel, { priced }: Priced, values: Values) => `FROM gezaehlt s
    JOIN detektoren_laeufe l ON l.lauf_id = s.lauf_id
    CROSS JOIN LATERAL (${CALL_OF_STEP}) AS a
    ${priced ? PRICE_OF_CALL : ''}
    WHERE ${scopeOf(regel, 'l', values)}`;

/**
 * Findings of a run are about the steps that `of` names; their window begins with the first of them. Where several begin at the same
 * instant, each begins a microsecond after the one before: rule, run and beginning are their key.
 */
export async function findSteps<T extends DetectedType>(
  look: Look,
  regel: Regel<T>,
  priced: Priced,
  of: (values: Values) => Stellen,
): Promise<Found[]> {
  const values = createValues();
  const { stellen, werte, feuert, nurWarnen = 'false', ...money } = of(values);
  const { verbrannt = 'NULL::numeric', potential = 'NULL::numeric' } = money;
  const text = `WITH ${stellen}, ${GEZAEHLT},
    je_gruppe AS (SELECT s.lauf_id::text AS objekt, l.agent, s.lauf_id AS lauf,
      min(a.zeitpunkt) FILTER (WHERE s.platz = 1) AS beginn, min(s.nr) AS erste, max(a.zeitpunkt) AS ende,
      (array_agg(a.zeitpunkt ORDER BY s.nr) FILTER (WHERE ${feuert}))[1] AS feuert,
      jsonb_build_object(
        'schritte', to_jsonb(array_agg(${SCHRITT} ORDER BY s.nr) FILTER (WHERE s.platz <= ${MAX_SCHRITTE})),
        'anzahl', count(*), 'modelle', ${someOf('a.modell', MAX_NAMEN)}${werte ? `, ${werte}` : ''}) AS werte, ${nurWarnen} AS nur_warnen, ${receivedLive} AS empfangen,
      sum(a.kosten_eur) AS kosten_eur, sum(${verbrannt}) AS verbrannt_eur, sum(${potential}) AS potential_eur
    ${fromSteps(regel, priced, values)}
    GROUP BY s.lauf_id, l.agent, s.gruppe)
    SELECT objekt, agent, lauf, beginn + interval '1 microsecond'
        * (row_number() OVER (PARTITION BY lauf, beginn ORDER BY erste) - 1) AS beginn,
      ende, feuert, empfangen, nur_warnen, werte, kosten_eur, verbrannt_eur, potential_eur FROM je_gruppe`;
  return findBy(look, regel, 'lauf', { text, values });
}

/** The steps that `of` names, one by one, with what could be saved of each. */
export function callsOfSteps(regel: Regel, priced: Priced, of: (values: Values) => Stellen): Calls {
  const values = createValues();
  const { stellen, potential = 'NULL::numeric', gemeint = 'true' } = of(values);
  const text = `WITH ${stellen}, ${GEZAEHLT}
    SELECT s.lauf_id::text AS objekt, NULL::timestamptz AS beginn, a.ereignis_id, a.zeitpunkt, a.agent, a.kosten_eur,
      ${potential} AS eur
    ${fromSteps(regel, priced, values)} AND ${gemeint}`;
  return { text, values: values.all };
}

/**
 * All steps that succeeded from the place `von` among these to the place `bis_nr` of all steps, for each row `i` of `inseln`, and what `more`
 * says of them.
 */
export const stepsOfIslands = (more: string) => `stellen AS (SELECT i.lauf_id, i.von AS gruppe, a.nr, ${more}
    FROM inseln i CROSS JOIN LATERAL (SELECT v.* FROM detektoren_schritte v
      WHERE v.lauf_id = i.lauf_id AND v.nr BETWEEN i.von AND i.bis_nr AND v.erfolg_nr >= i.von OFFSET 0) AS a)`;

/**
 * Steps that follow one another among those that succeeded, as parts of a WITH: `folgen` are those of `detektoren_schritte` that go on
 * with what `before` steps before them have begun (`where`); `inseln` those in a row of which enough come together (`having`), and
 * `stellen` all steps of these, with `laenge`, how many there are, and what `more` says of them.
 */
export const inARow = ({
  before,
  where,
  having,
  more,
}: {
  before: number;
  where: string;
  having: string;
  more: string;
}) => `
  folgen AS (SELECT a.lauf_id, a.nr, a.erfolg_nr, a.verlauf, a.gleich_gefragt,
      a.erfolg_nr - row_number() OVER (PARTITION BY a.lauf_id ORDER BY a.erfolg_nr) AS insel
    FROM detektoren_schritte a WHERE ${where}),
  inseln AS (SELECT lauf_id, min(erfolg_nr) - ${before} AS von, max(nr) AS bis_nr, count(*) + ${before} AS laenge FROM folgen
    GROUP BY lauf_id, insel HAVING ${having}),
  ${stepsOfIslands(`i.laenge, ${more}`)}`;

/** Condition on a step `a`: it was begun shortly after the one before. */
export const isPrompt = ({ parameter }: { parameter: { pause_sekunden: number } }, values: Values): string =>
  `a.pause <= ${values.of(parameter.pause_sekunden, 'bigint')} * 1000`;
