/** Counted consumption for tests of the reading side, put into the rollups as the owner would. */
import { randomUUID } from 'node:crypto';
import type { TestService } from './service.ts';

/** One row of `verbrauch_stunde`; `stunde` is the instant the local hour begins, `tag` its local day. */
export interface Consumption {
  stunde: string;
  tag: string;
  agent: string;
  projekt?: string;
  endkunde?: string;
  modell?: string;
  aufrufe?: number | string;
  fehler?: number;
  unbepreist?: number;
  geschaetzt?: number;
  eingabe_token?: number | string;
  kosten_eur?: string | null;
  kosten_usd?: string | null;
  geschaetzt_eur?: string | null;
  verbranntes_geld_eur?: string;
}

const INSERT = `
  WITH neu AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS n(stunde timestamptz, tag date, agent text, projekt text, endkunde text,
      modell text, aufrufe bigint, fehler bigint, unbepreist bigint, geschaetzt bigint, eingabe_token bigint,
      kosten_eur numeric, kosten_usd numeric, geschaetzt_eur numeric, verbranntes_geld_eur numeric)),
  stunden AS (
    INSERT INTO verbrauch_stunde
    SELECT $1, stunde, agent, projekt, endkunde, 'openai', modell, 0.86, aufrufe, fehler, unbepreist, geschaetzt,
      eingabe_token, 0, 0, 0, 0, kosten_usd, kosten_eur, geschaetzt_eur, verbranntes_geld_eur FROM neu)
  INSERT INTO verbrauch_tag
  SELECT $1, tag, agent, projekt, endkunde, 'openai', modell, sum(aufrufe), sum(fehler), sum(unbepreist),
    sum(geschaetzt), sum(eingabe_token), 0, 0, 0, 0, sum(kosten_usd), sum(kosten_eur), sum(geschaetzt_eur),
    sum(verbranntes_geld_eur)
  FROM neu GROUP BY tag, agent, projekt, endkunde, modell`;

/** Adds the hours and the days they make up; all hours of a day and key must come in one call. */
export async function addConsumption(
  service: TestService,
  mandantId: string,
  rows: Consumption[],
): Promise<void> {
  const complete = rows.map((row) => ({
    projekt: 'standard',
    endkunde: '',
    modell: 'gpt-5',
    aufrufe: 1,
    fehler: 0,
    unbepreist: 0,
    geschaetzt: 0,
    eingabe_token: 0,
    kosten_eur: null,
    kosten_usd: null,
    geschaetzt_eur: null,
    verbranntes_geld_eur: '0',
    ...row,
  }));
  await service.sql(INSERT, [mandantId, JSON.stringify(complete)]);
}

/** A new agent of the catalog, without a call unless the instant of its last one is given; returns its id. */
export async function addAgent(
  service: TestService,
  mandantId: string,
  schluessel: string,
  lastCall: string | null = null,
): Promise<string> {
  const [row] = await service.sql<{ agent_id: string }>(
    `INSERT INTO agenten (mandant_id, schluessel, name, projekt, letzter_aufruf_am)
     VALUES ($1, $2, $2, 'standard', $3) RETURNING agent_id`,
    [mandantId, schluessel, lastCall],
  );
  return (row as { agent_id: string }).agent_id;
}

export interface Run {
  lauf_id?: string;
  agent: string;
  beginn: string;
  ende: string;
  status?: string;
  fehler?: number;
  kosten_eur?: string | null;
}

/** A new run; returns its id. */
export async function addRun(service: TestService, mandantId: string, run: Run): Promise<string> {
  const laufId = run.lauf_id ?? randomUUID();
  await service.sql(
    `INSERT INTO laeufe (mandant_id, lauf_id, agent, projekt, status, beginn, ende, aufrufe, fehler, unbepreist,
       eingabe_token, ausgabe_token, cache_lese_token, kosten_usd, kosten_eur, verbranntes_geld_eur)
     VALUES ($1, $2, $3, 'standard', $4, $5, $6, 2, $7, 0, 100, 20, 5, NULL, $8::numeric, 0)`,
    [
      mandantId,
      laufId,
      run.agent,
      run.status ?? 'erfolgreich',
      run.beginn,
      run.ende,
      run.fehler ?? 0,
      run.kosten_eur ?? null,
    ],
  );
  return laufId;
}
