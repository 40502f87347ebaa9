/** What reads the rows of one service. */
import { idOfAnswer, namesACall } from '../answer-id.ts';
import type { Ereignis } from '../event.ts';
import { stableId } from '../stable-id.ts';
import type { Row } from './rows.ts';

/** Why a row is no call, in the words of the command. */
export const LEFT = {
  eigener_cache: 'answered by its own cache: no provider was called',
  kein_modell: 'no model',
  kein_aufruf: 'no call of a model',
  andere_zeile: 'another kind of row',
  keine_zeit: 'no time that can be read',
  keine_kennung: 'nothing names it',
  wiederholt: 'tells of a call again',
  unlesbar: 'cannot be read',
} as const;

/** Why a row is no call. */
export type Reason = keyof typeof LEFT;

/** The calls of a row with what the row says they cost (USD, decimal text), or why it is none. */
export type Imported = { events: Ereignis[]; cost: string | null } | { left: Reason };

/** Reads the rows of one service. */
export interface Importer {
  name: string;
  /** Whether a row is of this service. */
  recognises(row: Row): boolean;
  /** Names an answer that several rows tell of, of which the last one has the counts; null for rows that stand alone. */
  nameOf?(row: Row): string | null;
  read(row: Row): Imported;
}

/** By the answer where the provider's id is there, as the proxy and the package do it; else by the row. */
export function idOf(
  service: string,
  answerId: string | null,
  rowId: string | null,
): Pick<Ereignis, 'ereignis_id'> {
  if (answerId !== null && namesACall(answerId)) return { ereignis_id: idOfAnswer(answerId, 0) };
  const name = rowId ?? answerId;
  return name === null ? {} : { ereignis_id: stableId('import', service, name) };
}
