/** What is behind the lines of a month that is not closed: some questions for many lines, several for one that has very much. */
import type { ExactGroup } from '#domains/verbrauch/index.ts';
import type { Window } from '#kernel/zeitraum.ts';
import type { Line } from '../line.ts';
import { dayIn } from '../month.ts';
import { addedUp, focusOf, kindByAgent, kindsByDay, type PostenOfLine, toKind, toPosten } from '../parts.ts';
import { readAgentNames, type StoredPosten, type UseOfCustomer } from '../store/posten.ts';
import { type Bill, countedFor } from './bill.ts';
import { dearestOf, groupsOf, inPortions } from './groups.ts';
import type { Moment } from './moment.ts';

/** Of a line that has more groups than one answer has room for, this number of each kind is kept, and as many of each day of `focus`; the others are one. */
const MOST_KEPT = 10_000;

type Referenced = Pick<Line, 'referenz'>;

/** The groups by the line that they are of. */
function byLine(groups: ExactGroup[], lines: readonly Referenced[], bill: Bill): Map<string, ExactGroup[]> {
  const lineOf = new Map(
    lines.flatMap((line) => countedFor(bill, line).map((referenz) => [referenz, line.referenz])),
  );
  return Map.groupBy(groups, ({ schluessel: [referenz = ''] }) => lineOf.get(referenz) as string);
}

const referencesOf = (bill: Bill, lines: readonly Referenced[]) =>
  lines.flatMap((line) => countedFor(bill, line));

/** Of each of these lines, by day, provider and model. */
const groupsByDay = async (moment: Moment, bill: Bill, lines: readonly Referenced[]) =>
  byLine(
    await groupsOf(moment, bill.window, referencesOf(bill, lines), ['tag', 'anbieter', 'modell']),
    lines,
    bill,
  );

/** Day after day, those that cost most. */
async function focusOfOne(moment: Moment, { window }: Bill, values: readonly string[]) {
  const { gruppen } = await dearestOf(moment, window, values, { by: ['tag'], limit: null });
  const focus: StoredPosten[] = [];
  for (const tag of gruppen.map(({ schluessel: [day = ''] }) => day).sort()) {
    const within: Window = dayIn(tag, window.von.timeZoneId);
    const of = await dearestOf(moment, within, values, { by: ['anbieter', 'modell'], limit: MOST_KEPT });
    const named = of.gruppen.map((group) => ({ ...group, schluessel: [tag, ...group.schluessel] }));
    focus.push(...focusOf(addedUp(named, 0, 1, 2)));
    if (of.rest) focus.push(toPosten({ schluessel: null, tag, gruppen: of.rest.gruppen }, of.rest.figures));
  }
  return { focus, tage: toKind({ gruppen: addedUp(gruppen, 0), rest: null }) };
}

/** Of a line that has more groups than one answer has room for. */
async function behindOne(moment: Moment, bill: Bill, line: Referenced): Promise<PostenOfLine> {
  const values = countedFor(bill, line);
  const kind = async (by: 'agent' | 'modell') => {
    const { gruppen, rest } = await dearestOf(moment, bill.window, values, { by: [by], limit: MOST_KEPT });
    return toKind({ gruppen: addedUp(gruppen, 0), rest });
  };
  return {
    agenten: await kind('agent'),
    modelle: await kind('modell'),
    ...(await focusOfOne(moment, bill, values)),
  };
}

async function behindSeveral(
  moment: Moment,
  bill: Bill,
  lines: readonly Referenced[],
): Promise<Map<string, PostenOfLine>> {
  const byAgent = byLine(
    await groupsOf(moment, bill.window, referencesOf(bill, lines), ['agent']),
    lines,
    bill,
  );
  const byDay = await groupsByDay(moment, bill, lines);
  return new Map(
    lines.map(({ referenz }) => [
      referenz,
      {
        agenten: kindByAgent(byAgent.get(referenz) ?? []),
        ...kindsByDay(byDay.get(referenz) ?? []),
      },
    ]),
  );
}

/** Puts on agents what they are called. */
async function nameAgents({ tx }: Moment, behind: ReadonlyMap<string, PostenOfLine>): Promise<void> {
  const agents = Array.from(behind.values()).flatMap(({ agenten }) => agenten);
  const keys = new Set(agents.flatMap(({ schluessel }) => (schluessel === null ? [] : [schluessel])));
  const names = await readAgentNames(tx, [...keys]);
  for (const agent of agents) agent.name = (agent.schluessel && names.get(agent.schluessel)) || null;
}

const groupsIn = (behind: ReadonlyMap<string, PostenOfLine>): number => {
  let count = 0;
  for (const { focus, agenten } of behind.values()) count += focus.length + agenten.length;
  return count;
};

/** What is behind these lines of the month's own calls, some after the others. */
export async function* behindLines(moment: Moment, bill: Bill, lines: readonly Line[]) {
  const portions = inPortions(lines, {
    ask: (some) => behindSeveral(moment, bill, some),
    askAlone: async (line) => new Map([[line.referenz, await behindOne(moment, bill, line)]]),
    sizeOf: groupsIn,
  });
  for await (const { some, answer } of portions) {
    await nameAgents(moment, answer);
    yield { some, behind: answer };
  }
}

/** What they used by day, provider and model, some after the others. */
export async function* focusBehind(
  moment: Moment,
  bill: Bill,
  lines: readonly Referenced[],
): AsyncGenerator<UseOfCustomer[], void> {
  const portions = inPortions(lines, {
    ask: async (some) => {
      const byDay = await groupsByDay(moment, bill, some);
      return some.map(({ referenz }) => ({
        referenz,
        posten: kindsByDay(byDay.get(referenz) ?? []).focus,
      }));
    },
    askAlone: async ({ referenz }) => [
      { referenz, posten: (await focusOfOne(moment, bill, countedFor(bill, { referenz }))).focus },
    ],
    sizeOf: (answer) => answer.reduce((sum, { posten }) => sum + posten.length, 0),
  });
  for await (const { answer } of portions) yield answer;
}
