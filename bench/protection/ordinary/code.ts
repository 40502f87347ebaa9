/** Agents that work on programs and reports, for long and with a context that grows. */
import type { Chance } from '../chance.ts';
import { DAY, HOUR, MINUTE, type PlannedCall, SECOND, type Tool } from '../planned.ts';
import { fileName, paragraph, program, sentence } from '../prose.ts';
import { Session } from '../session.ts';
import { onWorkdays } from './daily.ts';

const testRun = (chance: Chance): string =>
  chance.is(0.5)
    ? `${chance.from(20, 300)} passed in ${chance.from(2, 40)} s`
    : `1 failed: ${sentence(chance)} expected ${chance.from(1, 99)}, got ${chance.from(1, 99)}`;

/** One of the tools that a coding agent calls, with what it answers. */
function codingStep(chance: Chance): { tool: Tool; result: string; tokens?: number } {
  const path = fileName(chance);
  const kind = chance.share();
  if (kind < 0.45)
    return {
      tool: ['read_file', { path, from: chance.from(1, 400) }],
      result: program(chance, 12),
      tokens: chance.around(650),
    };
  if (kind < 0.7)
    return {
      tool: ['edit_file', { path, old: sentence(chance), new: program(chance, chance.from(2, 9)) }],
      result: 'The file was changed.',
    };
  if (kind < 0.9) return { tool: ['run', { command: 'npm test' }], result: testRun(chance) };
  return {
    tool: ['search', { pattern: sentence(chance).split(' ')[3] ?? 'order' }],
    result: Array.from(
      { length: chance.from(2, 20) },
      () => `${fileName(chance)}:${chance.from(1, 300)}`,
    ).join('\n'),
  };
}

/** Coding sessions: a task, many steps, now and then a word of the person; some go on for hundreds of steps. */
export const coding = (chance: Chance, days: number): PlannedCall[] =>
  onWorkdays(chance, days, 5, (own, day, task) => {
    const session = new Session(own, {
      agent: 'entwicklung/assistent',
      modell: 'claude-sonnet-4-5',
      at: day * DAY + 8 * HOUR + own.from(0, 8 * 60) * MINUTE,
      system: 14_000,
      more: { benutzer_ref: `dev-${own.from(1, 6)}` },
    });
    session.says(`${sentence(own)} Please change ${fileName(own)} accordingly. ${paragraph(own, 40)}`);
    const long = task === 0 && day % 2 === 0;
    for (let step = long ? own.from(205, 250) : own.around(38); step > 0; step -= 1) {
      const { tool, result, tokens } = codingStep(own);
      session
        .call({ tools: [tool], output: own.around(160) })
        .waits(own.around(1_500))
        .result(result, tokens);
      if (session.context > 150_000) session.compacts(paragraph(own, 60), 1_100);
      if (own.is(0.05)) session.waits(own.around(90) * SECOND).says(sentence(own));
    }
    session.call({ output: own.around(250) });
    return session.calls;
  });

/** Reviews of changes: some files are read, then a verdict is given. */
export const reviews = (chance: Chance, days: number): PlannedCall[] =>
  onWorkdays(chance, days, 8, (own, day) => {
    const session = new Session(own, {
      agent: 'entwicklung/durchsicht',
      modell: 'gpt-4.1',
      at: day * DAY + 8 * HOUR + own.from(0, 9 * 60) * MINUTE,
      system: 1_800,
    });
    session.says(`Review this change.\n${program(own, 12)}`, own.around(800));
    for (let step = own.from(3, 10); step > 0; step -= 1)
      session
        .call({ tools: [['read_file', { path: fileName(own) }]], output: 45 })
        .waits(own.around(700))
        .result(program(own, 12), own.around(950));
    session.call({ output: own.around(500) });
    return session.calls;
  });

/** A question is shared out among agents of its own, each in a run that names the step that led to it. */
export function research(chance: Chance, days: number): PlannedCall[] {
  const calls: PlannedCall[] = [];
  for (let day = 0; day < days; day += 1)
    for (const hour of [9, 15]) {
      const own = chance.named(`${day}/${hour}`);
      const lead = new Session(own, {
        agent: 'recherche/leitung',
        modell: 'gpt-4.1',
        at: day * DAY + hour * HOUR + own.from(0, 40) * MINUTE,
        system: 1_500,
      });
      lead.says(`Find out: ${paragraph(own, 40)}`);
      for (let round = 0; round < 2; round += 1) {
        const topics = Array.from({ length: own.from(2, 3) }, () => sentence(own));
        lead.call({
          tools: topics.map((topic): Tool => ['ask_researcher', { topic }]),
          output: 200,
          thinking: own.around(500),
        });
        const ends = topics.map((topic) => {
          const sub = readsPages(own.named(topic), topic, lead);
          calls.push(...sub.calls);
          return sub.at;
        });
        lead.at = Math.max(...ends);
        for (const _ of topics) lead.result(paragraph(own, 60), 320);
      }
      lead.call({ output: own.around(1_200), thinking: own.around(900) });
      calls.push(...lead.calls);
    }
  return calls;
}

function readsPages(chance: Chance, topic: string, lead: Session): Session {
  const session = new Session(chance, {
    agent: 'recherche/leser',
    modell: 'gpt-4o-mini',
    at: lead.at + chance.from(20, 400),
    system: 800,
    eltern: lead.latest,
    elternLauf: lead.lauf,
  });
  session.says(`Report on: ${topic}`);
  for (let page = chance.from(4, 9); page > 0; page -= 1)
    session
      .call({
        tools: [['open_page', { url: `https://example.org/${chance.from(1_000, 99_999)}` }]],
        output: 40,
      })
      .waits(chance.around(1_100))
      .result(paragraph(chance, 70), chance.around(700));
  return session.call({ output: chance.around(350) });
}
