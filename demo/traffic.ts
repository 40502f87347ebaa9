/**
 * The demo's traffic as a pure function: the same world and span give the same events, wherever the span is cut. Each
 * hour is made up by itself from the seed, so that a fill that was interrupted goes on in the middle.
 */
import { hash } from 'node:crypto';
import type { DemoEvent } from './call.ts';
import { createIncidents, type Incidents } from './incidents.ts';
import { createRandom, type Random } from './random.ts';
import { HOUR, localDay, OFFICE, type Rhythm, ROUND_THE_CLOCK, shareOf } from './rhythm.ts';
import { type NextId, runEvents } from './run.ts';
import { runawayEvents } from './runaway.ts';
import { AGENTS, type Agent, KNOWLEDGE, MAIL_SORTER } from './scenario.ts';

export interface World {
  seed: string;
  /** The demo's first start, epoch milliseconds; the incidents lie some days before it. */
  beginn: number;
}

/** Epoch milliseconds; `bis` is not part of it and may be infinite. */
export interface Span {
  von: number;
  bis: number;
}

export interface Stream {
  name: string;
  agents: readonly Agent[];
  rhythm: Rhythm;
  /** How much busier than their usual workday the agents are. */
  density: number;
  /** Milliseconds; no run of the stream lasts longer. */
  longestRun: number;
  runsAway: boolean;
}

/** What the company does: about 200,000 calls in 30 days. */
export const BUSINESS: Stream = {
  name: 'betrieb',
  agents: AGENTS,
  rhythm: OFFICE,
  density: 1,
  longestRun: 12 * HOUR,
  runsAway: true,
};

/**
 * Comes on top while somebody may be watching: small cheap calls, a few in every second of office hours, so that the
 * figures move and yet the month's cost does not. Never made up for the past.
 */
export const PULSE: Stream = {
  name: 'puls',
  agents: [MAIL_SORTER, { ...KNOWLEDGE, runs: 200 }],
  rhythm: ROUND_THE_CLOCK,
  density: 42,
  longestRun: HOUR,
  runsAway: false,
};

/** A UUID of a name: version 8 over SHA-256, as in RFC 9562, appendix B.2. */
function uuidOf(name: string): string {
  const hex = hash('sha256', name);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Days differ a little; the factor belongs to the day. */
const moodOf = (world: World, day: string): number =>
  0.88 + 0.24 * createRandom(`${world.seed}/tag/${day}`).next();

/** How busy the hour beginning at `start` is, as a share of a usual workday. */
const activityOf = (world: World, stream: Stream, start: number): number =>
  shareOf(start, stream.rhythm) * stream.density * moodOf(world, localDay(start));

/** A function that says which share of the span's events lies before an instant, 0 to 1; near enough for a progress bar. */
export function createShare(world: World, stream: Stream, { von, bis }: Span): (until: number) => number {
  const first = Math.floor(von / HOUR);
  const sums = [0];
  for (let hour = first; hour * HOUR < bis; hour += 1) {
    sums.push((sums.at(-1) ?? 0) + activityOf(world, stream, hour * HOUR));
  }
  const before = (instant: number): number => {
    const hours = instant / HOUR - first;
    const [low, high] = [sums[Math.floor(hours)] ?? 0, sums[Math.ceil(hours)] ?? sums.at(-1) ?? 0];
    return low + (high - low) * (hours % 1);
  };
  const [start, end] = [before(von), before(bis)];
  return (until) => (end > start ? (before(Math.min(Math.max(until, von), bis)) - start) / (end - start) : 1);
}

function agentEvents(
  agent: Agent,
  expected: number,
  start: number,
  incidents: Incidents,
  nextId: NextId,
  random: Random,
): DemoEvent[] {
  // Rounded by chance, so that rare runs happen now and then instead of never.
  const runs = Math.floor(expected + random.next());
  return Array.from({ length: runs }, () =>
    runEvents(agent, start + random.integer(0, HOUR - 1), incidents, nextId, random),
  ).flat();
}

/** All events of the runs that begin within the hour. */
function hourEvents(world: World, incidents: Incidents, stream: Stream, start: number): DemoEvent[] {
  const seed = `${world.seed}/${stream.name}/${start / HOUR}`;
  const random = createRandom(seed);
  let index = 0;
  const nextId = () => {
    index += 1;
    return uuidOf(`${seed}/${index}`);
  };
  const activity = activityOf(world, stream, start);
  const events = stream.agents.flatMap((agent) =>
    agentEvents(agent, agent.runs * activity, start, incidents, nextId, random),
  );
  const loop = stream.runsAway ? incidents.loopIn(start, start + HOUR) : null;
  return loop === null ? events : events.concat(runawayEvents(loop, nextId, random));
}

const byTime = (a: DemoEvent, b: DemoEvent): number =>
  a.zeitpunkt < b.zeitpunkt ? -1 : a.zeitpunkt > b.zeitpunkt ? 1 : a.ereignis_id < b.ereignis_id ? -1 : 1;

/** The events whose `zeitpunkt` lies in the span, in the order of time. */
export function* traffic(world: World, stream: Stream, { von, bis }: Span): Generator<DemoEvent, void> {
  const incidents = createIncidents(world.beginn);
  const from = new Date(von).toISOString();
  const until = Number.isFinite(bis) ? new Date(bis).toISOString() : '9999';
  // Runs that began before the span may reach into it; what reaches beyond an hour waits for its turn.
  let waiting: DemoEvent[] = [];
  for (let hour = Math.floor((von - stream.longestRun) / HOUR) * HOUR; hour < bis; hour += HOUR) {
    const end = new Date(hour + HOUR).toISOString();
    const known = waiting.concat(hourEvents(world, incidents, stream, hour)).sort(byTime);
    waiting = known.filter((event) => event.zeitpunkt >= end);
    for (const event of known) {
      if (event.zeitpunkt >= end || event.zeitpunkt >= until) break;
      if (event.zeitpunkt >= from) yield event;
    }
  }
}
