/** A question to the local copy, answered. */
import type { DuckDBConnection, DuckDBMaterializedResult } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import { FIGURE_NAMES, type FigureName } from '#contracts/rollup.ts';
import type { Sums, SumsAnswer, SumsQuestion } from '../question.ts';
import {
  type AskedPieces,
  figuresStatement,
  MOST_GROUPS,
  pageStatement,
  type Statement,
  summedFigures,
  totalStatement,
} from './statement.ts';
import { ADDENDS } from './tables.ts';

/** The answer has more groups than may be answered. */
export class TooManyGroups extends Error {}

/** How each figure follows from the columns of a row: their places in it, and what they are worth. */
function figuresIn({ head, keys, sums }: Statement, question: SumsQuestion) {
  const placeOf = new Map(sums.map((name, index) => [name, head + keys + index]));
  const wanted = new Set<FigureName>(summedFigures(question));
  const addends = FIGURE_NAMES.map((name) =>
    wanted.has(name)
      ? ADDENDS[name].flatMap(({ column, factor }) => {
          const place = placeOf.get(column);
          return place === undefined ? [] : [{ place, factor }];
        })
      : [],
  );
  return (row: readonly unknown[]): bigint[] =>
    addends.map((parts) =>
      parts.reduce((sum, { place, factor }) => sum + BigInt(row[place] as bigint) * factor, 0n),
    );
}

const rowsOf = async (result: DuckDBMaterializedResult) => (await result.getRows()) as unknown[][];

/** Rows of a statement: what stands before keys and sums, the keys, and the figures. */
async function run(connection: DuckDBConnection, question: SumsQuestion, statement: Statement) {
  const valuesOf = figuresIn(statement, question);
  const { head, keys } = statement;
  return (await rowsOf(await connection.run(statement.text))).map((row) => ({
    head: row.slice(0, head).map(Number),
    keys: row.slice(head, head + keys) as number[],
    values: valuesOf(row),
  }));
}

const readTotal = async (connection: DuckDBConnection, question: SumsQuestion, asked: AskedPieces) => {
  const [row] = await run(connection, question, totalStatement(question, asked));
  return { values: (row as Sums).values };
};

/** The groups that can be on the page, and the total, with all figures or none. */
async function readPage(
  connection: DuckDBConnection,
  question: SumsQuestion,
  asked: AskedPieces,
  of?: 'keys',
): Promise<SumsAnswer> {
  const rows = await run(connection, question, pageStatement(question, asked, of));
  const total = rows.find(({ head: [kind] }) => kind === 1) as (typeof rows)[number];
  const [, count = 0, behind = 0] = total.head;
  if (rows.length - 1 > MOST_GROUPS) throw new TooManyGroups(`more than ${MOST_GROUPS} groups`);
  const groups = rows.filter((row) => row !== total).map(({ keys, values }) => ({ keys, values }));
  return { groups, total: { values: total.values }, count, behind };
}

/** Groups up to which all figures are added up at once: reading the calls twice takes longer. Also of more on the page, since these cost the same. */
const FEW_GROUPS = 50_000;
/** How many groups there were, as long as nobody asks for others. */
const COUNTS = new LRUCache<string, number>({ max: 10_000 });

/** As `readPage`; where groups are many, most figures are added up for those alone that can be on the page. */
async function readGroups(
  connection: DuckDBConnection,
  question: SumsQuestion,
  asked: AskedPieces,
): Promise<SumsAnswer> {
  const name = [asked.mandant, ...question.by].join();
  const expected = COUNTS.get(name) ?? (question.by.length > 1 ? Number.POSITIVE_INFINITY : 0);
  const answer =
    question.limit === null || expected <= FEW_GROUPS
      ? await readPage(connection, question, asked)
      : await readInTwo(connection, question, asked);
  COUNTS.set(name, answer.count);
  return answer;
}

async function readInTwo(
  connection: DuckDBConnection,
  question: SumsQuestion,
  asked: AskedPieces,
): Promise<SumsAnswer> {
  const page = await readPage(connection, question, asked, 'keys');
  if (page.groups.length > FEW_GROUPS) return readPage(connection, question, asked);
  const total = await readTotal(connection, question, asked);
  const chosen = page.groups.map(({ keys }) => keys);
  const groups = await run(connection, question, figuresStatement(question, { ...asked, chosen }));
  return { ...page, total, groups: groups.map(({ keys, values }) => ({ keys, values })) };
}

async function answerQuestion(
  connection: DuckDBConnection,
  question: SumsQuestion,
  asked: AskedPieces,
): Promise<SumsAnswer> {
  if (question.by.length > 0) return readGroups(connection, question, asked);
  return { groups: [], total: await readTotal(connection, question, asked), count: 0, behind: 0 };
}

/**
 * In the order of the questions, as many at a time as there are connections: one thread alone plans a statement. No transaction is needed
 * for them to be of one state: pieces that come meanwhile have other numbers, and none that a question names goes as long as it may take.
 */
export async function answerQuestions(
  connections: readonly DuckDBConnection[],
  asked: readonly { question: SumsQuestion; pieces: AskedPieces }[],
): Promise<SumsAnswer[]> {
  const answers: SumsAnswer[] = [];
  const rest = [...asked.entries()];
  const answerRest = async (connection: DuckDBConnection) => {
    for (let next = rest.shift(); next; next = rest.shift()) {
      const [index, { question, pieces }] = next;
      answers[index] = await answerQuestion(connection, question, pieces);
    }
  };
  const ends = await Promise.allSettled(
    connections.map((connection) =>
      answerRest(connection).catch((error: unknown) => {
        rest.length = 0;
        throw error;
      }),
    ),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return answers;
}
