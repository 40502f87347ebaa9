/** SQL of the twin under the request role. */
import { sql } from 'kysely';
import type { Objektart, Ursache } from '#contracts';
import type { MandantTx } from '#platform/database/index.ts';
import type { Watching } from './rules.ts';

/** Local days, the first and the one after the last. */
export interface Days {
  von: string;
  bis: string;
}

interface Saved {
  aufrufe: string | number;
  unbekannt: string | number;
  gespart_eur: string | null;
}

export interface CauseRow extends Saved {
  ursache: Ursache;
  befunde: number;
  typen: string[];
}

export interface AgentSaved extends Saved {
  agent: string;
}

export interface FindingSaved extends Saved {
  ursache: Ursache;
  befund_id: string;
  typ: string;
  objekt_art: Objektart;
  objekt: string;
  agent: string | null;
}

const SUMS = sql`sum(z.aufrufe)::bigint AS aufrufe, sum(z.unbekannt)::bigint AS unbekannt,
  trim_scale(sum(z.gespart_eur))::text AS gespart_eur`;

/** Savings of these days whose findings hold, as `z`, each with its finding `b`. */
const holding = (tx: MandantTx, { von, bis }: Days) => sql`
  FROM zwilling_ersparnisse z JOIN befunde b ON b.mandant_id = ${tx.mandant} AND b.befund_id = z.befund_id
  WHERE z.mandant_id = ${tx.mandant} AND z.tag >= ${von}::date AND z.tag < ${bis}::date
    AND b.status IN ('offen', 'erledigt')`;

export const readCauses = async (tx: MandantTx, days: Days): Promise<CauseRow[]> =>
  (
    await sql<CauseRow>`SELECT z.ursache, count(DISTINCT z.befund_id)::int AS befunde,
      array_agg(DISTINCT b.typ) AS typen, ${SUMS} ${holding(tx, days)} GROUP BY z.ursache`.execute(tx)
  ).rows;

export const readAgentsSaved = async (tx: MandantTx, days: Days): Promise<AgentSaved[]> =>
  (await sql<AgentSaved>`SELECT z.agent, ${SUMS} ${holding(tx, days)} GROUP BY z.agent`.execute(tx)).rows;

/** Of each cause the findings that matter most, at most this many. */
export const readFindings = async (tx: MandantTx, days: Days, most: number): Promise<FindingSaved[]> =>
  (
    await sql<FindingSaved>`WITH je_befund AS (
        SELECT z.ursache, z.befund_id, ${SUMS}, row_number() OVER (PARTITION BY z.ursache
          ORDER BY sum(z.gespart_eur) DESC NULLS LAST, z.befund_id DESC) AS platz
        ${holding(tx, days)} GROUP BY z.ursache, z.befund_id)
      SELECT j.ursache, j.befund_id, j.aufrufe, j.unbekannt, j.gespart_eur, b.typ, b.objekt_art, b.objekt, b.agent
      FROM je_befund j JOIN befunde b ON b.mandant_id = ${tx.mandant} AND b.befund_id = j.befund_id
      WHERE j.platz <= ${most} ORDER BY j.ursache, j.platz`.execute(tx)
  ).rows;

/** What the active rules look for; `approved`: the price book says what may be used instead where a rule names nothing. */
export const readWatching = async (tx: MandantTx, approved: boolean): Promise<Watching[]> =>
  (
    await sql<Watching>`SELECT DISTINCT typ, stufe,
        ${approved} OR coalesce(jsonb_array_length(parameter->'erlaubt') > 0, false) AS ersatz
      FROM regeln WHERE mandant_id = ${tx.mandant} AND aktiv`.execute(tx)
  ).rows;

/** When a day of these was read last; null when none was. */
export async function readWhen(tx: MandantTx, { von, bis }: Days): Promise<string | null> {
  const { rows } = await sql<{ am: string | null }>`SELECT max(gelesen_am) AS am FROM zwilling_tage
    WHERE mandant_id = ${tx.mandant} AND tag >= ${von}::date AND tag < ${bis}::date`.execute(tx);
  return rows[0]?.am ?? null;
}
