import type {
  AgentAenderung as AgentAenderungSchema,
  Agent as AgentSchema,
  BeiErreichen,
  Projekt as ProjektSchema,
  SchutzEingabe as SchutzEingabeSchema,
  Static,
} from '#contracts';

export type Agent = Static<typeof AgentSchema>;
export type Projekt = Static<typeof ProjektSchema>;
export type SchutzEingabe = Static<typeof SchutzEingabeSchema>;
export type AgentAenderung = Static<typeof AgentAenderungSchema>;

/** An agent as the catalog keeps it; amounts in EUR as plain decimals, times ISO 8601 in UTC. */
export interface AgentRow {
  agent_id: string;
  schluessel: string;
  name: string;
  projekt: string;
  budget_eur: string | null;
  /** What it does by itself once it is spent; null where there is none. */
  budget_bei_erreichen: Static<typeof BeiErreichen> | null;
  eingriffsstufe: string | null;
  ruhezeit: string | null;
  erstellt_am: string;
  /** Time of the latest call that is counted; null when there is none. */
  letzter_aufruf_am: string | null;
}

export function toApi(row: AgentRow): Agent {
  return {
    agent_id: row.agent_id,
    schluessel: row.schluessel,
    name: row.name,
    projekt: row.projekt,
    budget_eur: row.budget_eur,
    budget_bei_erreichen: row.budget_bei_erreichen,
    eingriffsstufe: row.eingriffsstufe,
    ruhezeit: row.ruhezeit,
    erstellt_am: row.erstellt_am,
  };
}
