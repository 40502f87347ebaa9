/** Reports of runs that go round in circles. */
import type { Chance } from '../chance.ts';
import { MINUTE, SECOND, type Tool } from '../planned.ts';
import { fileName, paragraph, program, sentence } from '../prose.ts';
import { Session } from '../session.ts';
import type { Report } from './report.ts';

const coder = (chance: Chance, more: { system?: number; modell?: string; agent?: string } = {}) =>
  new Session(chance, {
    agent: 'entwicklung/coder',
    modell: 'claude-sonnet-4-5',
    at: 0,
    system: 22_000,
    ...more,
  });

/** The same command, which fails with the same words. */
function failingTool(chance: Chance): Report {
  const session = coder(chance).says(`Fix the build. ${paragraph(chance, 60)}`);
  for (let step = 0; step < 6; step += 1)
    session
      .call({ tools: [['read_file', { path: fileName(chance) }]] })
      .waits(900)
      .result(program(chance, 12), 900);
  const result = `bash: npx: command not found\nexit code 127\n${sentence(chance)}`;
  for (let step = 0; step < 114; step += 1)
    session
      .call({ tools: [['bash', { command: 'npx tsc --noEmit' }]], output: chance.from(60, 90) })
      .waits(chance.from(600, 1_500))
      .result(result);
  return {
    name: 'claude-code#30150: one tool that fails, with the same error',
    wish: 'stop the run',
    calls: session.calls,
    evident: 12,
  };
}

/** The same command; the error has another number, path and word each time. */
function failingToolInOtherWords(chance: Chance): Report {
  const session = coder(chance).says(`Fix the build. ${paragraph(chance, 60)}`);
  for (let step = 0; step < 120; step += 1)
    session
      .call({ tools: [['bash', { command: 'make test' }]], output: chance.from(60, 110) })
      .waits(chance.from(700, 1_600))
      .result(
        `make: *** [test] Error ${chance.from(2, 139)} after ${chance.from(100, 9_999)} ms in /tmp/build-${chance.from(10_000, 99_999)}: ${sentence(chance)}`,
      );
  return {
    name: 'claude-code#30150: the same, the error text changes',
    wish: 'stop the run, or tell within a minute',
    calls: session.calls,
    evident: 8,
  };
}

/** Five times one listing, five times another of the same folder, and again. */
function listings(chance: Chance): Report {
  const names = Array.from({ length: 30 }, () => fileName(chance));
  const session = coder(chance, { agent: 'entwicklung/pi' }).says('Where is the configuration read?');
  for (let step = 0; step < 60; step += 1) {
    const isLong = step % 10 > 4;
    session
      .call({ tools: [['bash', { command: isLong ? 'ls -la' : 'ls' }]], output: chance.from(40, 60) })
      .waits(chance.from(300, 800))
      .result(isLong ? names.map((name) => `-rw-r--r-- 1 dev dev 812 ${name}`).join('\n') : names.join('\n'));
  }
  return {
    name: 'pi#6158: `ls` five times, `ls -la` five times',
    wish: 'stop the run',
    calls: session.calls,
    evident: 10,
  };
}

/** Two agents in one run hand the task to each other; of the tools only the name is known. */
function handedToAndFro(chance: Chance): Report {
  const session = new Session(chance, { agent: 'team/crew', modell: 'gpt-4o', at: 0, system: 2_600 });
  session.says(paragraph(chance, 60));
  for (let step = 0; step < 120; step += 1)
    session
      .call({
        tools: [[step % 2 === 0 ? 'delegate_to_writer' : 'delegate_to_editor', {}]],
        output: chance.around(90),
      })
      .waits(chance.around(800))
      .result(paragraph(chance, 50));
  return {
    name: 'crewAI#330, #6414: delegation to and fro in one run, only the names of tools in the print',
    wish: 'stop the run',
    calls: session.calls,
    evident: 12,
  };
}

/** Tools in turn, again and again, with results that say the same. */
function inTurn(chance: Chance, tools: readonly Tool[], steps: number): Session {
  const session = coder(chance, { agent: 'entwicklung/hands', system: 9_000 }).says(paragraph(chance, 60));
  const results = tools.map(() => `${sentence(chance)} exit code 1`);
  for (let step = 0; step < steps; step += 1) {
    const at = step % tools.length;
    session
      .call({ tools: [tools[at] as Tool], output: chance.from(70, 110) })
      .waits(chance.from(2_000, 6_000))
      .result(`${results[at]} (${chance.from(100, 999)} ms)`);
  }
  return session;
}

const buildAndInstall = (chance: Chance): Report => ({
  name: 'OpenHands#7960: build, install, build, install',
  wish: 'stop the run',
  calls: inTurn(
    chance,
    [
      ['run', { command: 'npm run build' }],
      ['run', { command: 'npm install' }],
    ],
    60,
  ).calls,
  evident: 8,
});

const threeInTurn = (chance: Chance): Report => ({
  name: 'OpenHands#8269: three actions in turn',
  wish: 'stop the run',
  calls: inTurn(
    chance,
    [
      ['read', { path: 'src/app.ts' }],
      ['edit', { path: 'src/app.ts', line: 12, text: 'import x' }],
      ['run', { command: 'npm run lint' }],
    ],
    90,
  ).calls,
  evident: 12,
});

/** The context is full, is compacted, is filled with the same files again: work is never done. */
function compactions(chance: Chance): Report {
  const session = coder(chance, { agent: 'entwicklung/compact' }).says(
    `Port the module. ${paragraph(chance, 80)}`,
  );
  for (let time = 0; time < 211; time += 1) {
    session
      .call({ tools: [['read_file', { path: fileName(chance) }]], output: 120, latency: 9_000 })
      .waits(1_000);
    session
      .result(program(chance, 90), chance.from(92_000, 110_000))
      .call({ output: 2_400, latency: 38_000 })
      .waits(2_000);
    session.compacts(`Summary of the work so far. ${paragraph(chance, 60)}`, 900);
  }
  return {
    name: 'claude-code#24179: 211 compactions one after the other',
    wish: 'stop the run, or tell within a minute',
    calls: session.calls,
    evident: 12,
  };
}

/** Thinks for long, says next to nothing, gets the order to go on. */
function thinking(chance: Chance): Report {
  const session = new Session(chance, { agent: 'recherche/denker', modell: 'o3', at: 0, system: 3_000 });
  session.says(paragraph(chance, 120));
  for (let step = 0; step < 45; step += 1)
    session
      .call({
        thinking: chance.from(22_000, 31_000),
        output: chance.from(20, 70),
        latency: chance.from(90_000, 150_000),
      })
      .waits(chance.from(300, 900))
      .says(chance.one(['Go on.', 'Continue, please.', 'And now?', 'Please answer the question.']));
  return {
    name: 'thinking spiral: 25,000 tokens of reasoning a step, hardly an answer',
    wish: 'stop the run, or tell within a minute',
    calls: session.calls,
    evident: 5,
  };
}

/** A clock goes on waking a session whose person has long gone; each beat pays for the whole history. */
function zombie(chance: Chance): Report {
  const session = new Session(chance, {
    agent: 'assistent/zombie',
    modell: 'claude-sonnet-4-5',
    at: 0,
    system: 96_000,
  });
  for (let beat = 0; beat < 48; beat += 1) {
    session.says('Read HEARTBEAT.md. If nothing needs attention, reply HEARTBEAT_OK.');
    session.call({ output: 8, latency: 4_000 }).waits(30 * MINUTE - 4 * SECOND);
  }
  return {
    name: 'openclaw#98556: heartbeats on a session that is over',
    wish: 'tell before it has cost much',
    calls: session.calls,
    evident: 6,
  };
}

export const loops: readonly ((chance: Chance) => Report)[] = [
  failingTool,
  failingToolInOtherWords,
  listings,
  compactions,
  handedToAndFro,
  buildAndInstall,
  threeInTurn,
  zombie,
  thinking,
];
