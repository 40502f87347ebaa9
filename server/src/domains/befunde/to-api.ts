/** Findings and incidents as answers show them. */
import type { Befund, Static, Vorfall } from '#contracts';
import { sentenceOf, subjectOf, type ToldFinding, titleOf } from './sentences.ts';
import type { BefundRow, VorfallRow } from './store.ts';

const toldOf = (row: BefundRow): ToldFinding => ({
  typ: row.typ,
  objektArt: row.objekt_art,
  objekt: row.objekt,
  agent: row.agent,
  werte: row.werte as ToldFinding['werte'],
  kostenEur: row.kosten_eur,
  verbranntEur: row.verbrannt_eur,
  potentialEur: row.potential_eur,
});

export function befundToApi(row: BefundRow): Static<typeof Befund> {
  const told = toldOf(row);
  // In shadow mode nothing was done: the headline does not claim it.
  const title = titleOf(told, row.schatten ? 'beobachten' : row.stufe, new Date(row.erkannt_am));
  const sentence = sentenceOf(told);
  return {
    ...row,
    typ: row.typ as Static<typeof Befund>['typ'],
    status: row.status as Static<typeof Befund>['status'],
    werte: row.werte as Record<string, unknown>,
    titel: title.de,
    titel_en: title.en,
    text: sentence.de,
    text_en: sentence.en,
  };
}

/** What has not changed for so long does not go on: two looks of the batches. */
const GOES_ON_MS = 10 * 60_000;

/** What an incident is shown with: its weightiest finding, how many interventions of it are in force, and the present moment. */
export interface Around {
  head: (BefundRow & { summe_verbrannt: string | null }) | undefined;
  inForce: number;
  now: Date;
}

export function vorfallToApi(row: VorfallRow, { head, inForce, now }: Around): Static<typeof Vorfall> {
  const title = head
    ? titleOf(toldOf(head), head.schatten ? 'beobachten' : head.stufe, new Date(head.erkannt_am))
    : subjectOf({ objektArt: row.objekt_art, objekt: row.objekt, agent: null });
  return {
    ...row,
    befunde: Number(row.befunde),
    titel: title.de,
    titel_en: title.en,
    verbrannt_eur: head?.summe_verbrannt ?? null,
    dauert_an: inForce > 0 || now.getTime() - Date.parse(row.letzter_befund_am) < GOES_ON_MS,
    eingriffe_in_kraft: inForce,
  };
}
