/** What is known of candidates: their findings of before, and the settings of their agents. Runs as the owner. */
import type pg from 'pg';
import type { Stufe } from '#contracts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Candidate } from '../candidate.ts';
import type { AgentSettings } from '../rules.ts';
import type { Extent } from '../telling.ts';

type Client = Pick<pg.ClientBase, 'query'>;

export interface KnownRow {
  befund_id: string;
  schluessel: string;
  stufe: Stufe;
  schatten: boolean;
  status: 'offen' | 'erledigt' | 'ignoriert' | 'hinfaellig';
  vorfall_id: string;
  alarm_am: string | null;
  /** How often it was told; null for what a former release has found. */
  gesagt_mal: number | null;
  gesagt_eur: string | null;
  gesagt_anzahl: string | null;
  /** Nothing about it has changed. */
  gleich: boolean;
}

// What did not change is not written again: a rule finds the same thing with every look.
const KNOWN = `SELECT b.befund_id, b.schluessel, b.stufe, b.schatten, b.status, b.vorfall_id, b.alarm_am,
    b.gesagt_mal, b.gesagt_eur::text AS gesagt_eur, b.gesagt_anzahl::text AS gesagt_anzahl,
    b.fenster_beginn = n.beginn AND b.werte = n.werte AND b.kosten_eur IS NOT DISTINCT FROM n.kosten
      AND b.verbrannt_eur IS NOT DISTINCT FROM n.verbrannt AND b.potential_eur IS NOT DISTINCT FROM n.potential AS gleich
  FROM unnest($2::text[], $3::jsonb[], $4::numeric[], $5::numeric[], $6::numeric[], $7::timestamptz[])
    AS n (schluessel, werte, kosten, verbrannt, potential, beginn)
  JOIN befunde b ON b.mandant_id = $1 AND b.schluessel = n.schluessel`;
const AGENTS = `SELECT schluessel, eingriffsstufe, ruhezeit FROM agenten
  WHERE mandant_id = $1 AND schluessel = ANY ($2::text[]) AND (eingriffsstufe IS NOT NULL OR ruhezeit IS NOT NULL)`;

/** What the agents of these candidates let be done about them, by key; those without a setting are left out. */
export async function readAgents(client: Client, mandant: MandantId, candidates: Candidate[]) {
  const keys = [...new Set(candidates.flatMap(({ agent }) => agent ?? []))];
  if (keys.length === 0) return new Map<string, AgentSettings>();
  const { rows } = await client.query<AgentSettings & { schluessel: string }>(AGENTS, [mandant, keys]);
  return new Map(rows.map((row) => [row.schluessel, row]));
}

/** The findings of candidates by their keys, as far as there are any. */
export async function readKnown(client: Client, mandant: MandantId, byKey: Map<string, Candidate>) {
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

/** What it came to when it was told last. */
export const toldOf = ({ gesagt_eur, gesagt_anzahl }: KnownRow): Extent => ({
  eur: gesagt_eur,
  anzahl: gesagt_anzahl === null ? null : Number(gesagt_anzahl),
});
