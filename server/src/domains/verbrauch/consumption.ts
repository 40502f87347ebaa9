/** What the calls of a window add up to: together, by one value of each, by local day or hour. */
import type { RawBuilder } from 'kysely';
import type { DimensionName } from '#contracts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { consumptionsByEngine, groupsByEngine, type ValuesFilter } from './engine/consumption-by-engine.ts';
import type { Engine } from './engine/engine.ts';
import type { Position, SumsRow } from './groups.ts';
import { selectTexts } from './store/values.ts';

/** What the calls of a window are grouped by. */
export type PlainGrouping = DimensionName | 'tag' | 'stunde';

export interface Question {
  /** Whole local hours. */
  window: Window;
  /** What to group by; null for the sum alone. */
  by: PlainGrouping | null;
  /** A call must meet each of them. */
  where?: readonly ValuesFilter[];
  /** Groups at most, all unless given. */
  limit?: number | null;
  /** Behind which group to begin. */
  after?: Position | null;
}

export interface Consumption {
  /**
   * Groups with calls. Values by cost, the most expensive first, unknown costs last, then by key; days (`YYYY-MM-DD`) and
   * hours (ISO 8601 in UTC) by time.
   */
  zeilen: (SumsRow & Position)[];
  /** What is not in `zeilen`, as one; null when everything is. */
  rest: (SumsRow & { gruppen: number }) | null;
  summe: SumsRow;
  /** Where the next page begins; null when there is none. */
  naechster: Position | null;
}

const keyOf = <At extends { schluessel: string[] }>(group: At) => ({
  ...group,
  schluessel: group.schluessel[0] as string,
});

/**
 * What the calls of each window add up to, exactly: together and by group; what is asked for together costs one way to the engine. The
 * transaction must read from one snapshot. Throws 503 where the engine cannot answer, 429 where the Mandant asks more than its share.
 */
export async function consumptions(
  engine: Engine,
  tx: MandantTx,
  questions: readonly Question[],
): Promise<Consumption[]> {
  const asked = questions.map(({ window, by, where = [], limit = null, after = null }) => ({
    window,
    by: by === null ? [] : [by],
    where,
    limit,
    after: after && { ...after, schluessel: [after.schluessel] },
  }));
  return (await consumptionsByEngine(engine, tx, asked)).map(({ zeilen, naechster, ...sums }) => ({
    ...sums,
    zeilen: zeilen.map(keyOf),
    naechster: naechster && keyOf(naechster),
  }));
}

/** One of them. */
export async function consumption(engine: Engine, tx: MandantTx, question: Question): Promise<Consumption> {
  const [answer] = await consumptions(engine, tx, [question]);
  return answer as Consumption;
}

/** SELECT of the values (as `schluessel`) that have a call in the window. As for `consumption`. */
export async function keysWithCalls(
  engine: Engine,
  tx: MandantTx,
  window: Window,
  by: DimensionName,
): Promise<RawBuilder<unknown>> {
  const [answer] = await groupsByEngine(engine, tx, [{ window, by: [by], figures: ['aufrufe'] }]);
  return selectTexts(
    tx,
    (answer?.groups ?? []).map(({ keys }) => keys[0] as number),
  );
}
