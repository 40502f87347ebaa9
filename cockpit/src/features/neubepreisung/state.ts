/** What the figures of a repricing come to. */
import type { Neubepreisung } from '../../api/types.ts';
import { compareDecimal } from '../../format/decimal.ts';

/** Whether it is being worked out or applied. */
export const isUnderWay = ({ status }: Pick<Neubepreisung, 'status'>) =>
  status === 'vorschau' || status === 'laeuft';

/** Whether it is over before all was done. */
export const endedEarly = ({ status }: Pick<Neubepreisung, 'status'>) =>
  status === 'abgebrochen' || status === 'fehlgeschlagen';

/** Whether its figures say what has changed, or would: a preview that came to no end says neither. */
export const hasResult = (of: Pick<Neubepreisung, 'status' | 'angewendet_am'>) =>
  !isUnderWay(of) && !(endedEarly(of) && of.angewendet_am === null);

/** How far it has come, 0 to 1; null while that is unknown. More may be counted meanwhile than there was at first. */
export const partOf = ({ gelesen, ereignisse }: Pick<Neubepreisung, 'gelesen' | 'ereignisse'>) =>
  ereignisse === 0 ? null : Math.min(1, gelesen / ereignisse);

export type Direction = 'dearer' | 'cheaper' | 'equal';

/** What a difference (decimal string) means. */
export function directionOf(difference: string): Direction {
  const sign = compareDecimal(difference, '0');
  return sign > 0 ? 'dearer' : sign < 0 ? 'cheaper' : 'equal';
}
