/** What told of calls: of each API key and library the latest call, how many there were, and what the latest ones lack. */
import { sql } from 'kysely';
import { toCount } from '#kernel/count.ts';
import type { MandantTx } from '#platform/database/index.ts';

/** What calls may lack, by the columns of `verbrauch_quellen`. */
const SOURCE_GAPS = [
  'ohne_lauf',
  'ohne_agent',
  'ohne_endkunde',
  'ohne_fingerabdruck',
  'ohne_cache',
  'ohne_token',
] as const;

type SourceGaps = Record<'aufrufe' | (typeof SOURCE_GAPS)[number], number>;

export interface SourceUse {
  schluessel_id: string;
  /** '' all three: those beyond the first ones that a Mandant had lately. */
  quelle: string;
  bibliothek: string;
  version: string;
  letzter_aufruf_am: string;
  /** Since the day asked for. */
  aufrufe: number;
  unbepreist: number;
  /** EUR, exact; null where no call has a known price. */
  kosten_eur: string | null;
  /** Of them those that a subscription pays for. */
  abo_aufrufe: number;
  abo_kosten_eur: string | null;
  luecken: SourceGaps;
}

type Count = 'aufrufe' | 'unbepreist' | 'abo_aufrufe' | 'angesehen' | (typeof SOURCE_GAPS)[number];
type Row = Omit<SourceUse, 'aufrufe' | 'unbepreist' | 'abo_aufrufe' | 'luecken'> & Record<Count, string>;

const toUse = (row: Row): SourceUse => {
  const { angesehen, ohne_lauf, ohne_agent, ohne_endkunde, ohne_fingerabdruck, ...rest } = row;
  const { ohne_cache, ohne_token, ...use } = rest;
  return {
    ...use,
    aufrufe: toCount(row.aufrufe),
    unbepreist: toCount(row.unbepreist),
    abo_aufrufe: toCount(row.abo_aufrufe),
    luecken: {
      aufrufe: toCount(angesehen),
      ohne_lauf: toCount(ohne_lauf),
      ohne_agent: toCount(ohne_agent),
      ohne_endkunde: toCount(ohne_endkunde),
      ohne_fingerabdruck: toCount(ohne_fingerabdruck),
      ohne_cache: toCount(ohne_cache),
      ohne_token: toCount(ohne_token),
    },
  };
};

interface Asked {
  /** Local days from there on, YYYY-MM-DD. */
  since: string;
  /** Of what is lacking the latest days are looked at, as many as it takes for these calls: each day has one at least. */
  latest: number;
  /** The sources whose calls are the latest. */
  most: number;
}

/** The sources of all keys, the one with the latest call first. */
export async function readSources(tx: MandantTx, { since, latest, most }: Asked): Promise<SourceUse[]> {
  const gaps = SOURCE_GAPS.map(
    (name) =>
      sql`coalesce(sum(${sql.ref(name)}) FILTER (WHERE davor < ${latest}), 0)::text AS ${sql.ref(name)}`,
  );
  const { rows } = await sql<Row>`
    SELECT schluessel_id, quelle, bibliothek, version, max(letzter_aufruf_am) AS letzter_aufruf_am,
      sum(aufrufe)::text AS aufrufe, sum(unbepreist)::text AS unbepreist, sum(abo_aufrufe)::text AS abo_aufrufe,
      CASE WHEN sum(unbepreist) < sum(aufrufe) THEN trim_scale(sum(kosten_eur))::text END AS kosten_eur,
      CASE WHEN sum(abo_aufrufe) > 0 THEN trim_scale(sum(abo_kosten_eur))::text END AS abo_kosten_eur,
      sum(aufrufe) FILTER (WHERE davor < ${latest})::text AS angesehen, ${sql.join(gaps)}
    FROM (SELECT v.*, sum(aufrufe) OVER (PARTITION BY schluessel_id, quelle, bibliothek, version ORDER BY tag DESC) - aufrufe AS davor
      FROM verbrauch_quellen v WHERE mandant_id = ${tx.mandant} AND tag >= ${since}::date AND aufrufe > 0) AS tage
    GROUP BY schluessel_id, quelle, bibliothek, version
    ORDER BY max(letzter_aufruf_am) DESC, schluessel_id, quelle, bibliothek, version LIMIT ${most}`.execute(
    tx,
  );
  return rows.map(toUse);
}
