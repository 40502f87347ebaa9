/** A question to the local copy, answered. */
import type { DuckDBConnection, DuckDBMaterializedResult } from '@duckdb/node-api';
import { FIGURE_NAMES, type FigureName } from '#contracts/rollup.ts';
import type { StepColumn } from '../../pieces/columns.ts';
import { type Answer, type Group, STEP_COLUMNS, type Steps, type SumsQuestion } from '../question.ts';
import { type Asked, type Statement, statementOf, stepsStatement, summedFigures } from './statement.ts';
import { ADDENDS } from './tables.ts';

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

/** Fills in the calls by step, of the total and of the groups that are answered. */
async function addSteps(
  connection: DuckDBConnection,
  question: SumsQuestion,
  asked: Asked,
  answer: Answer,
): Promise<void> {
  const all = [answer.total, ...answer.groups];
  for (const sums of all) sums.steps = { latenz: new Map(), erste_zeichen: new Map() };
  const groups = new Map(answer.groups.map((group) => [group.keys.join(), group]));
  const read = async (step: StepColumn, keys: number[][] | null) => {
    for (const row of await rowsOf(await connection.run(stepsStatement(step, question, asked, keys)))) {
      const [calls, number] = [row.pop() as bigint, row.pop() as number];
      const sums = keys === null ? answer.total : groups.get(row.join());
      if (sums && calls !== 0n) (sums.steps as Steps)[step].set(number, calls);
    }
  };
  for (const step of STEP_COLUMNS) {
    if (!asked.present.has(step)) continue;
    await read(step, null);
    if (groups.size > 0)
      await read(
        step,
        answer.groups.map(({ keys }) => keys),
      );
  }
}

/** All on one state of the copy. */
export async function answerQuestion(
  connection: DuckDBConnection,
  question: SumsQuestion,
  asked: Asked,
): Promise<Answer> {
  const statement = statementOf(question, asked);
  await connection.run('BEGIN');
  try {
    const valuesOf = figuresIn(statement, question);
    const groups: Group[] = [];
    const answer: Answer = { groups, total: { values: [] }, count: 0, behind: 0 };
    for (const row of await rowsOf(await connection.run(statement.text))) {
      const [kind, count, behind] = row;
      const values = valuesOf(row);
      const keys = row.slice(statement.head, statement.head + statement.keys) as number[];
      if (kind === 0) groups.push({ keys, values });
      else Object.assign(answer, { total: { values }, count: Number(count), behind: Number(behind) });
    }
    if (question.steps) await addSteps(connection, question, asked, answer);
    return answer;
  } finally {
    await connection.run('ROLLBACK').catch(() => undefined);
  }
}
