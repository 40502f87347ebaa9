/** What reads the rows of one service. */
import { idOfAnswer, namesACall } from '../answer-id.ts';
import type { Ereignis } from '../event.ts';
import { stableId } from '../stable-id.ts';
import type { Row } from './rows.ts';

/** An event, or why a row is none. */
type Imported = { event: Ereignis } | { left: string };

export interface Importer {
  name: string;
  /** Whether a row is of this service. */
  recognises(row: Row): boolean;
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
