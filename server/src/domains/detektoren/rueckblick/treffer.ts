/** The calls that blocks would have kept from being made, run by run. */
import type { Objektart } from '#contracts';
import type { Look } from '../detector.ts';
import type { Sperre } from './sperren.ts';

/** What blocks of one look would have kept of a run from being called. */
export interface Treffer {
  /** Null: calls of no run. */
  lauf_id: string | null;
  agent: string | null;
  /** When the run ended. */
  ende: string | null;
  gestoppt_am: string;
  aufrufe: string;
  /** Exact decimal; null where no price is known. */
  kosten_eur: string | null;
  /** It ended successfully, whatever was found of it: what a rule calls burnt is no measure of the rule. */
  gut: boolean;
}

/** What the object of a block is of a call `e`; of a run: among the loaded ones. */
const OBJEKTE: Record<Exclude<Objektart, 'lauf'>, string> = {
  mandant: `''`,
  projekt: 'e.projekt',
  agent: 'e.agent',
  endkunde: `coalesce(e.endkunde_ref, '')`,
  funktion: `coalesce(e.funktion_ref, '')`,
  modell: `coalesce(e.modell, '')`,
  benutzer: `coalesce(e.benutzer_ref, '')`,
  schluessel: `coalesce(e.schluessel_id::text, '')`,
};

const OF_RUNS = `
  SELECT a.zeitpunkt, a.lauf_id, a.kosten_eur, a.lauf_id::text AS objekt FROM detektoren_schritte a
  WHERE a.lauf_id = ANY ($2::text[]::uuid[]) AND a.zeitpunkt > $5 AND a.zeitpunkt < $6`;
const of = (objekt: string) => `
  SELECT e.zeitpunkt, e.lauf_id, e.kosten_eur, ${objekt} AS objekt FROM ereignisse e
  WHERE e.mandant_id = $1 AND e.zeitpunkt > $5 AND e.zeitpunkt < $6 AND ${objekt} = ANY ($2::text[])`;

// The calls once, and not by an index for each block.
const hits = (calls: string) => `
  WITH sperren AS (SELECT * FROM unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) AS s (objekt, von, bis)),
  aufrufe AS MATERIALIZED (${calls}),
  getroffen AS (SELECT a.lauf_id, min(s.von) AS gestoppt_am, count(*) AS aufrufe, sum(a.kosten_eur) AS kosten
    FROM sperren s JOIN aufrufe a ON a.objekt = s.objekt AND a.zeitpunkt > s.von AND a.zeitpunkt < s.bis GROUP BY a.lauf_id)
  SELECT g.lauf_id, l.agent, l.ende, g.gestoppt_am, g.aufrufe, trim_scale(g.kosten)::text AS kosten_eur,
    coalesce(l.status = 'erfolgreich', false) AS gut
  FROM getroffen g LEFT JOIN laeufe l ON l.mandant_id = $1 AND l.lauf_id = g.lauf_id`;

/** Blocks of one kind of object; those of runs among the calls that were loaded. */
async function readKind(
  { client, mandant }: Pick<Look, 'client' | 'mandant'>,
  kind: Objektart,
  sperren: Sperre[],
): Promise<Treffer[]> {
  const bounds = (values: string[]) => values.sort(Temporal.Instant.compare);
  const { rows } = await client.query<Treffer>(hits(kind === 'lauf' ? OF_RUNS : of(OBJEKTE[kind])), [
    mandant,
    sperren.map(({ objekt }) => objekt),
    sperren.map(({ von }) => von),
    sperren.map(({ bis }) => bis),
    bounds(sperren.map(({ von }) => von))[0],
    bounds(sperren.map(({ bis }) => bis)).at(-1),
  ]);
  return rows;
}

/** What these blocks would have kept from being called. In the transaction in which it was found what they are about. */
export async function readHits(
  place: Pick<Look, 'client' | 'mandant'>,
  sperren: Sperre[],
): Promise<Treffer[]> {
  const all: Treffer[] = [];
  for (const [kind, own] of Map.groupBy(sperren, ({ objektArt }) => objektArt))
    all.push(...(await readKind(place, kind, own)));
  return all;
}
