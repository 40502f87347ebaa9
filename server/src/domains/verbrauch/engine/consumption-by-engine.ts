/** The door to consumption: what the calls of a window add up to, by any filters and groupings. */
import { type AnyDimensionName, FIGURE_NAMES, type FigureName, isOwnDimension } from '#contracts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import {
  byStanding,
  costOf,
  costOfValues,
  cutPage,
  type GroupStanding,
  placeOf,
  type SumsRow,
  toSumsRow,
} from '../groups.ts';
import type { TimeColumn } from '../pieces/columns.ts';
import { readNumbers, readTexts } from '../store/values.ts';
import type { Engine, WindowQuestion } from './engine.ts';
import {
  type Group,
  type Grouping,
  isTime,
  type SumsAnswer,
  type SumsQuestion,
  type ValueFilter,
} from './question.ts';
import { textOfTime, timeOfText } from './times.ts';

/** Only calls with one of these values; '' for calls without one. */
export interface ValuesFilter {
  dimension: AnyDimensionName;
  values: readonly string[];
}

/** Behind which group a page begins: its place in the order (where they are in order of time they have none) and a text for each grouping. */
export type GroupPosition = { place: string | null; schluessel: string[] };

export interface EngineQuestion {
  /** Whole local hours. */
  window: Window;
  /** What to group by, four at most; the sum alone without. */
  by: readonly Grouping[];
  /** A call must meet each of them. */
  where?: readonly ValuesFilter[];
  /** By cost unless all that is grouped by is time; by time, those of a time are by cost. */
  order?: SumsQuestion['order'];
  /** Groups at most, all unless given. */
  limit?: number | null;
  /** Behind which group to begin. */
  after?: GroupPosition | null;
}

export interface EngineConsumption {
  /** Groups with calls, with a text for each grouping: a value ('' for none), a day (`YYYY-MM-DD`), an hour or minute (ISO 8601 in UTC). */
  zeilen: (SumsRow & GroupPosition)[];
  /** What is not in `zeilen`, as one; null when everything is. */
  rest: (SumsRow & { gruppen: number }) | null;
  summe: SumsRow;
  /** Where the next page begins; null when there is none. */
  naechster: GroupPosition | null;
}

/** Where a group stands: where they are in order of time, its times before its cost. */
interface TimedStanding extends GroupStanding {
  times: number[];
}

type NamedGroup = TimedStanding & Pick<Group, 'values'>;

/** The numbers of the values that are filtered by. */
const filtersOf = (tx: MandantTx, where: readonly ValuesFilter[]): Promise<ValueFilter[]> =>
  Promise.all(
    where.map(async ({ dimension, values }) => {
      const merkmale = await readNumbers(tx, dimension, values);
      // Calls without a value of one's own dimension have the number 0.
      const withNone = isOwnDimension(dimension) && values.includes('');
      return { dimension, merkmale: withNone ? [...merkmale, 0] : merkmale };
    }),
  );

/** The values by which groups are told apart. */
export const valuesIn = ({ groups }: SumsAnswer, by: readonly Grouping[]): number[] =>
  groups.flatMap(({ keys }) => keys.filter((_, index) => !isTime(by[index] as Grouping)));

/** The texts of groups, in the order of `by`. */
const textsOf = (texts: ReadonlyMap<number, string>, groups: Group[], by: readonly Grouping[]): string[][] =>
  groups.map(({ keys }) =>
    keys.map((key, index) => {
      const grouping = by[index] as Grouping;
      return isTime(grouping) ? textOfTime(grouping, key) : (texts.get(key) ?? '');
    }),
  );

function byTimes(a: TimedStanding, b: TimedStanding): number {
  for (const [index, time] of a.times.entries()) {
    const order = time - (b.times[index] as number);
    if (order !== 0) return order;
  }
  return byStanding(a, b);
}

/** Of the keys of a group those that put it in order: none where it is the cost alone. */
const timesIn = <Key>({ by, order }: SumsOrder, keys: readonly Key[]): [TimeColumn, Key][] =>
  order === 'cost'
    ? []
    : by.flatMap((grouping, index) =>
        isTime(grouping) ? [[grouping, keys[index] as Key] as [TimeColumn, Key]] : [],
      );

type SumsOrder = Pick<SumsQuestion, 'by' | 'order'>;

/** Where the page begins. */
const standingOf = (question: SumsOrder, { place, schluessel }: GroupPosition): TimedStanding => ({
  times: timesIn(question, schluessel).map(([time, text]) => timeOfText(time, text)),
  cost: place === null ? null : costOf(place),
  keys: schluessel,
});

export function nameGroups(
  texts: ReadonlyMap<number, string>,
  question: SumsOrder,
  { groups }: SumsAnswer,
): NamedGroup[] {
  const keys = textsOf(texts, groups, question.by);
  return groups.map((group, index) => ({
    times: timesIn(question, group.keys).map(([, value]) => value),
    cost: costOfValues(group.values),
    keys: keys[index] as string[],
    values: group.values,
  }));
}

/** Figures alone unless all are wanted. */
export interface RawQuestion extends Pick<EngineQuestion, 'window' | 'by' | 'where'> {
  figures?: readonly FigureName[];
}

type PieceQuestion = Omit<WindowQuestion, 'filters'> & Pick<EngineQuestion, 'where'>;

/** What is asked of the pieces that the transaction sees. */
export async function askPieces(
  engine: Engine,
  tx: MandantTx,
  questions: readonly PieceQuestion[],
): Promise<SumsAnswer[]> {
  const known = new Map<readonly ValuesFilter[], Promise<ValueFilter[]>>();
  const numbersOf = (where: readonly ValuesFilter[]) =>
    known.getOrInsertComputed(where, () => filtersOf(tx, where));
  const filters = await Promise.all(questions.map(({ where = [] }) => numbersOf(where)));
  return engine.ask(
    tx,
    questions.map(({ where: _, ...question }, index) => ({
      ...question,
      filters: filters[index] as ValueFilter[],
    })),
  );
}

/** All groups of each question, by the numbers of their values, in no order; figures that are not asked for are 0. As for `consumptionsByEngine`. */
export const groupsByEngine = (
  engine: Engine,
  tx: MandantTx,
  questions: readonly RawQuestion[],
): Promise<SumsAnswer[]> =>
  askPieces(
    engine,
    tx,
    questions.map(({ figures = FIGURE_NAMES, ...question }) => ({
      ...question,
      figures,
      order: 'cost',
      limit: null,
      from: null,
    })),
  );

/** A question as the engine is asked it. */
function asPieceQuestion({ window, by, where = [], limit = null, after = null, ...asked }: EngineQuestion) {
  const isByTime = by.length > 0 && by.every(isTime);
  const question = { by, order: asked.order ?? (isByTime ? 'time' : 'cost') } as const;
  const from = after && standingOf(question, after);
  return { ...question, window, where, figures: FIGURE_NAMES, limit, from };
}

/** The page of an answer. */
function toConsumption(
  texts: ReadonlyMap<number, string>,
  { limit, from, ...question }: ReturnType<typeof asPieceQuestion>,
  answer: SumsAnswer,
): EngineConsumption {
  const { by, order } = question;
  const summe = toSumsRow(answer.total.values);
  if (by.length === 0) return { zeilen: [], rest: null, summe, naechster: null };
  const groups = nameGroups(texts, question, answer);
  const { page, rest, hasMore } = cutPage(groups, answer, byTimes, { limit, position: from });
  const isByTime = by.every(isTime) && order === 'time';
  const zeilen = page.map(({ cost, keys, values }) => ({
    ...toSumsRow(values),
    place: isByTime ? null : placeOf(cost),
    schluessel: keys,
  }));
  const last = zeilen.at(-1);
  return {
    zeilen,
    rest: rest.gruppen > 0 ? { ...toSumsRow(rest.values), gruppen: rest.gruppen } : null,
    summe,
    naechster: hasMore && last ? { place: last.place, schluessel: last.schluessel } : null,
  };
}

/**
 * What the calls of each window add up to, exactly: together and by group; what is asked for together costs one way to the engine. The
 * transaction must read from one snapshot. Throws 503 where the engine cannot answer, 429 where the Mandant asks more than its share.
 */
export async function consumptionsByEngine(
  engine: Engine,
  tx: MandantTx,
  questions: readonly EngineQuestion[],
): Promise<EngineConsumption[]> {
  const asked = questions.map(asPieceQuestion);
  const answers = await askPieces(engine, tx, asked);
  const merkmale = answers.flatMap((answer, index) => valuesIn(answer, asked[index]?.by ?? []));
  const texts = await readTexts(tx, [...new Set(merkmale)]);
  return answers.map((answer, index) =>
    toConsumption(texts, asked[index] as ReturnType<typeof asPieceQuestion>, answer),
  );
}

/** One of them. */
export async function consumptionByEngine(
  engine: Engine,
  tx: MandantTx,
  question: EngineQuestion,
): Promise<EngineConsumption> {
  const [answer] = await consumptionsByEngine(engine, tx, [question]);
  return answer as EngineConsumption;
}
