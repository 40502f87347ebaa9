/** Interventions as answers show them. No input or output here. */
import type { Eingriff, EingriffAktiv, Static } from '#contracts';
import type { EingriffRow } from './store.ts';

/** Whether it holds at this moment. */
export const isInForce = ({ schatten, aufgehoben_am, bis }: EingriffRow, now: Date): boolean =>
  !schatten && aufgehoben_am === null && (bis === null || Date.parse(bis) > now.getTime());

/** Levels that a client can obey or not; being slow cannot be told from having nothing to do. */
const isOrder = ({ stufe }: EingriffRow): boolean => stufe === 'anhalten' || stufe === 'sperren';

export const toApi = (row: EingriffRow, now: Date): Static<typeof Eingriff> => ({
  eingriff_id: row.eingriff_id,
  stufe: row.stufe,
  objekt_art: row.objekt_art,
  objekt: row.objekt,
  agent: row.agent,
  schatten: row.schatten,
  in_kraft: isInForce(row, now),
  regel_id: row.regel_id,
  befund_id: row.befund_id,
  grund: row.grund_de,
  grund_en: row.grund_en,
  veranlasst_von: row.veranlasst_von,
  beginn: row.beginn,
  bis: row.bis,
  aufgehoben_am: row.aufgehoben_am,
  aufgehoben_von: row.aufgehoben_von,
  missachtet: Number(row.missachtet),
  befolgt: row.schatten || !isOrder(row) ? null : Number(row.missachtet) === 0,
});

export const toAktiv = (row: EingriffRow): Static<typeof EingriffAktiv> => ({
  eingriff_id: row.eingriff_id,
  stufe: row.stufe,
  objekt_art: row.objekt_art,
  objekt: row.objekt,
  agent: row.agent,
  grund: row.grund_de,
  grund_en: row.grund_en,
  beginn: row.beginn,
  bis: row.bis,
});

/** Whether it can be about calls of one of these agents: what names no agent can be about anybody's. */
export const concerns = ({ agent }: Pick<EingriffRow, 'agent'>, agents: readonly string[]): boolean =>
  agent === null || agents.includes(agent);
