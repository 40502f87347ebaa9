/** Interventions as answers show them. No input or output here. */
import type { Eingriff, EingriffAktiv, Static } from '#contracts';
import { minutesOf } from '#kernel/duration.ts';
import type { EingriffRow, InForceRow } from './store.ts';

/** Whether its time is not over; of one that was neither lifted nor only noted it then holds. */
export const holds = ({ bis }: Pick<EingriffRow, 'bis'>, now: Date): boolean =>
  bis === null || Date.parse(bis) > now.getTime();

/** Whether it holds at this moment. */
export const isInForce = (row: EingriffRow, now: Date): boolean =>
  !row.schatten && row.aufgehoben_am === null && holds(row, now);

/**
 * How long what was found about an agent rests, in minutes, unless the agent has a rest period of its own: until then its order holds, the
 * same rule tells of nothing new in the incident, and an order that a person has lifted is not given again.
 */
const REST_MINUTES = 60;

/** The rest period of an agent, as its setting says (null: none is set), in minutes. */
export const restMinutesOf = (ruhezeit: string | null | undefined): number =>
  (ruhezeit ? minutesOf(ruhezeit) : null) ?? REST_MINUTES;

/** Levels that a client can obey or not; being slow cannot be told from having nothing to do. */
export const isOrder = ({ stufe }: Pick<EingriffRow, 'stufe'>): boolean =>
  stufe === 'anhalten' || stufe === 'sperren';

/** A run without a call for so long is over: to stop it then is too late. */
export const OVER_MS = 5 * 60_000;
/** A run that has not called for so long has ended, whatever was ordered about it: if it goes on all the same, so does its cause. */
export const RUN_ENDS_MS = 24 * 3_600_000;
/** A call that was under way when its sender was handed the order. */
const GRACE_MS = 10_000;

/**
 * What became of an order; null where there is nothing to obey. That no further call came proves nothing by itself: the run may have been
 * at its end. Obeyed it was where somebody whose calls it is about was handed it, of a run under way, and none was made then.
 */
function effectOf(row: EingriffRow): Static<typeof Eingriff>['wirkung'] {
  if (row.schatten || !isOrder(row)) return null;
  if (Number(row.missachtet) > 0) return 'missachtet';
  const last = row.letzter_aufruf_am === null ? null : Date.parse(row.letzter_aufruf_am);
  if (row.objekt_art === 'lauf' && last !== null && last < Date.parse(row.beginn) - OVER_MS)
    return 'zu_spaet';
  if (row.abgerufen_am === null) return 'unbekannt';
  return last !== null && last > Date.parse(row.abgerufen_am) + GRACE_MS ? 'missachtet' : 'befolgt';
}

const BEFOLGT = { befolgt: true, missachtet: false, zu_spaet: null, unbekannt: null } as const;

export const toApi = (row: EingriffRow, now: Date): Static<typeof Eingriff> => {
  const wirkung = effectOf(row);
  return {
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
    aufgehoben_grund: row.aufgehoben_grund,
    gnade_bis: row.gnade_bis,
    missachtet: Number(row.missachtet),
    befolgt: wirkung === null ? null : BEFOLGT[wirkung],
    wirkung,
    abgerufen_am: row.abgerufen_am,
    letzter_aufruf_am: row.letzter_aufruf_am,
  };
};

export const toAktiv = (row: InForceRow): Static<typeof EingriffAktiv> => ({
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

/** Whether it can be about calls that come by this key. */
export const concernsKey = (
  { objekt_art, objekt }: Pick<EingriffRow, 'objekt_art' | 'objekt'>,
  schluesselId: string,
): boolean => objekt_art !== 'schluessel' || objekt === schluesselId;

/** Whether it can be about calls of one of these agents: what names no agent can be about anybody's. */
export const concerns = ({ agent }: Pick<EingriffRow, 'agent'>, agents: readonly string[]): boolean =>
  agent === null || agents.includes(agent);
