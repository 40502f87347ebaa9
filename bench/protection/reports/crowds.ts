/** Reports of many runs, none of which is out of the ordinary by itself, and of failures and budgets. */
import type { Chance } from '../chance.ts';
import { byTime, type PlannedCall, SECOND } from '../planned.ts';
import { fileName, paragraph, program, sentence } from '../prose.ts';
import { Session } from '../session.ts';
import type { Report } from './report.ts';

/** Every attempt is a run of its own that sends everything and fails; `withClock`: the prompt says the time in words. */
function storm(chance: Chance, withClock: boolean): PlannedCall[] {
  const task = `Sum up the day for the team. ${paragraph(chance, 300)}`;
  return Array.from({ length: 60 }, (_, attempt) => {
    const at = attempt * 2.5 * SECOND;
    const session = new Session(chance, {
      agent: 'assistent/bote',
      modell: 'claude-sonnet-4-5',
      at,
      // Without cache: each attempt is paid for in full.
      system: 110_000,
      lauf: chance.uuid(),
    });
    const clock = new Date(at).toUTCString().slice(5);
    session.says(withClock ? `It is ${clock}. ${task}` : task);
    session.call({ fails: { code: 'timeout', tokens: true }, output: 4, latency: 1_900 });
    return session.calls;
  }).flat();
}

const retryStorm = (chance: Chance): Report => ({
  name: 'openclaw#62614: storm of retries, a new run each',
  wish: 'slow down or stop the agent',
  calls: storm(chance, false),
  evident: 6,
});

const retryStormWithClock = (chance: Chance): Report => ({
  name: 'openclaw#62614: the same, with the time of day in the prompt',
  wish: 'slow down or stop the agent',
  calls: storm(chance, true),
  evident: 6,
});

/** Refused, asked again at once, refused. */
function withoutBackoff(chance: Chance): Report {
  const session = new Session(chance, { agent: 'assistent/buzz', modell: 'gpt-4o', at: 0, system: 2_000 });
  session.says(paragraph(chance, 80));
  for (let attempt = 0; attempt < 300; attempt += 1)
    session
      .call({ fails: { code: 'rate_limit' }, latency: chance.from(90, 160) })
      .waits(chance.from(150, 350));
  return {
    name: 'buzz#5557: 429, asked again without a pause',
    wish: 'stop the run',
    calls: session.calls,
    evident: 12,
  };
}

/** Manager and worker hand the task to each other, each time in a run of its own that the last one led to, in other words. */
function delegation(chance: Chance): Report {
  const calls: PlannedCall[] = [];
  let eltern: string | null = null;
  let elternLauf: string | null = null;
  let at = 0;
  for (let turn = 0; turn < 60; turn += 1) {
    const isManager = turn % 2 === 0;
    const session: Session = new Session(chance, {
      agent: isManager ? 'team/manager' : 'team/worker',
      modell: 'gpt-4o',
      at,
      system: 2_200,
      eltern,
      elternLauf,
    });
    session
      .says(paragraph(chance, 90))
      .call({ tools: [['think', { about: sentence(chance) }]], output: chance.around(120) });
    session.waits(chance.around(500)).result(sentence(chance));
    session.call({
      tools: [['delegate_work', { to: isManager ? 'worker' : 'manager', task: sentence(chance) }]],
    });
    calls.push(...session.calls);
    eltern = session.latest;
    elternLauf = session.lauf;
    at = session.at + chance.from(200, 900);
  }
  return {
    name: 'crewAI#330, #6414: delegation to and fro, a run each, in other words',
    wish: 'tell within a minute, or stop',
    calls,
    evident: 24,
  };
}

/** A run has at most 19 steps; its caller starts it anew when it has got nowhere. */
function restarts(chance: Chance): Report {
  const calls: PlannedCall[] = [];
  const task = `Reconcile the list of orders with the mails of today. ${paragraph(chance, 60)}`;
  let at = 0;
  for (let run = 0; run < 10; run += 1) {
    const session = new Session(chance, { agent: 'ablauf/abgleich', modell: 'gpt-4o', at, system: 3_000 });
    session.says(task);
    for (let step = 0; step < 19; step += 1)
      session
        .call({
          tools: [
            step % 3 === 0 ? ['list_mails', { page: Math.floor(step / 3) }] : ['find_order', { page: step }],
          ],
        })
        .waits(chance.around(700))
        .result(paragraph(chance, 60));
    calls.push(...session.calls);
    at = session.at + chance.from(800, 2_000);
  }
  return {
    name: 'n8n#37779: started anew after the most iterations, ten times',
    wish: 'tell or stop before the fourth start',
    calls,
    evident: 2 * 19 + 5,
  };
}

const MOST_RUNS = 300;

/** A run that is to begin, and the step and run that led to it. */
interface Begun {
  at: number;
  eltern: string | null;
  elternLauf: string | null;
}

/** Every sub-agent starts two or three of its own, of the same kind. */
function subAgents(chance: Chance): Report {
  const calls: PlannedCall[] = [];
  const waiting: Begun[] = [{ at: 0, eltern: null, elternLauf: null }];
  for (let run = 0; run < MOST_RUNS; run += 1) {
    const next = waiting.sort((a, b) => a.at - b.at).shift();
    if (!next) break;
    const session = new Session(chance, {
      agent: 'entwicklung/schwarm',
      modell: 'claude-sonnet-4-5',
      at: next.at,
      system: 18_000,
      eltern: next.eltern,
      elternLauf: next.elternLauf,
    });
    session.says(`Split up and do: ${paragraph(chance, 60)}`);
    for (let step = 0; step < 5; step += 1)
      session
        .call({
          tools: [['read_file', { path: fileName(chance) }]],
          output: chance.around(300),
          latency: chance.around(5_000),
        })
        .waits(chance.around(1_000))
        .result(program(chance, 12), 3_800);
    session.call({ tools: [['start_agents', { count: 3 }]], output: 900, latency: 9_000 });
    for (let child = chance.from(2, 3); child > 0; child -= 1)
      waiting.push({
        at: session.at + chance.from(100, 2_000),
        eltern: session.latest,
        elternLauf: session.lauf,
      });
    calls.push(...session.calls);
  }
  return {
    name: 'codex#35463, claude-code#69332: sub-agents that start sub-agents',
    wish: 'stop the tree',
    calls: byTime(calls),
    evident: 90,
  };
}

/** Calls of one kind, one after the other, that spend a budget. */
function spending(chance: Chance, agent: string, count: number): PlannedCall[] {
  const session = new Session(chance, { agent, modell: 'gpt-4o', at: 0, system: 60_000, lauf: null });
  for (let call = 0; call < count; call += 1)
    session
      .forgets()
      .says(paragraph(chance, 80))
      .call({ output: chance.around(300) })
      .waits(chance.from(1_000, 4_000));
  return session.calls;
}

const budgetNotKept = (chance: Chance): Report => ({
  name: 'litellm#26672: a budget is set, and not kept',
  wish: 'stop the agent at 100 %',
  calls: spending(chance, 'proxy/team', 220),
  // Where the budget of 10 EUR is spent is looked up in the costs.
  evident: 0,
  budget: { agent: 'proxy/team', eur: '10', hard: true },
});

const budgetToldTooOften = (chance: Chance): Report => ({
  name: 'litellm#3738, #3113: an alarm about the budget with each request',
  wish: 'tell at each threshold, once',
  calls: spending(chance, 'proxy/key', 220),
  evident: 0,
  budget: { agent: 'proxy/key', eur: '10', hard: false },
  // Three thresholds, and two forecasts.
  mostAlarms: 5,
});

export const crowds: readonly ((chance: Chance) => Report)[] = [
  retryStorm,
  retryStormWithClock,
  withoutBackoff,
  delegation,
  restarts,
  subAgents,
  budgetNotKept,
  budgetToldTooOften,
];
