/** Agents that a clock calls. */
import type { Chance } from '../chance.ts';
import { DAY, HOUR, MINUTE, type PlannedCall, SECOND } from '../planned.ts';
import { paragraph, sentence } from '../prose.ts';
import { Session } from '../session.ts';

/** Waits for work elsewhere to be done: every minute the same question, in one run, until the answer is another. */
export function poller(chance: Chance, days: number): PlannedCall[] {
  const calls: PlannedCall[] = [];
  for (let day = 0; day < days; day += 1)
    for (const hour of [6, 13]) {
      const own = chance.named(`${day}/${hour}`);
      const job = own.from(10_000, 99_999);
      const session = new Session(own, {
        agent: 'betrieb/warten',
        modell: 'gpt-4o-mini',
        at: day * DAY + hour * HOUR,
        system: 300,
      });
      session.says(`Wait until export ${job} is done, then tell the team.`);
      for (let minute = own.from(18, 40); minute > 0; minute -= 1)
        session
          .call({ tools: [['job_status', { job }]], output: 18, latency: own.from(500, 1_100) })
          .waits(MINUTE - 800 + own.from(-2_000, 2_000))
          .result(minute > 1 ? 'running' : 'done');
      session.call({
        tools: [['post_message', { channel: 'exports', text: `Export ${job} is done.` }]],
        output: 40,
      });
      calls.push(...session.calls);
    }
  return calls;
}

/** Every hour the same task, in a run of its own. */
export function hourly(chance: Chance, days: number): PlannedCall[] {
  const task = `Write the state of the night shift in three sentences. ${paragraph(chance, 80)}`;
  return Array.from({ length: days * 24 }, (_, hour) => {
    const own = chance.named(`hour ${hour}`);
    const session = new Session(own, {
      agent: 'betrieb/stundenbericht',
      modell: 'gpt-4o',
      at: hour * HOUR + own.from(0, 3_000),
      system: 500,
    });
    session.says(task).call({ tools: [['read_sensors', { hall: 'all' }]], output: 30 });
    session
      .result(`${own.from(12, 31)} °C, ${own.from(40, 70)} %, ${own.from(0, 9)} alerts`)
      .call({ output: 90 });
    return session.calls;
  }).flat();
}

/** Every ten minutes: is there anything to do? Mostly not. */
export function heartbeat(chance: Chance, days: number): PlannedCall[] {
  const task = 'Look at the list of open tasks. If nothing is due, answer with OK.';
  return Array.from({ length: days * 144 }, (_, beat) => {
    const own = chance.named(`beat ${beat}`);
    const session = new Session(own, {
      agent: 'betrieb/herzschlag',
      modell: 'gpt-4o-mini',
      at: beat * 10 * MINUTE + own.from(0, 900),
      system: 900,
    });
    session.says(task).call({ output: 2, latency: own.from(400, 900) });
    return session.calls;
  }).flat();
}

/** Every half hour the same pages are read; what stands in them changes. */
export function priceWatch(chance: Chance, days: number): PlannedCall[] {
  return Array.from({ length: days * 48 }, (_, turn) => {
    const own = chance.named(`turn ${turn}`);
    const session = new Session(own, {
      agent: 'einkauf/preise',
      modell: 'gpt-4o-mini',
      at: turn * 30 * MINUTE + 17 * SECOND,
      system: 450,
    });
    session.says('Read the price page of the supplier and compare it with our list.');
    session.call({ tools: [['open_page', { url: 'https://example.org/prices' }]], output: 25 });
    session.result(
      `${sentence(own)} Oak ${own.from(60, 90)},${own.from(10, 99)} EUR, pine ${own.from(20, 39)} EUR.`,
    );
    session.call({ output: own.around(60) });
    return session.calls;
  }).flat();
}
