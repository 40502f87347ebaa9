/** From the sightings of one call to the call: the best one's counts, and of all of them who made it. */
import { isForGood } from './answer.ts';
import { Forest } from './forest.ts';
import { type CallSighting, countsKnown, distinct, type Group, inOrder, linkCalls } from './link.ts';
import type { Sighting } from './sighting.ts';
import type { Counts } from './usage.ts';
import { NOBODY, orElse, saysSomebody, type Who } from './who.ts';

/** A call, once. Times are microseconds since 1970. */
export interface Call {
  /** The id of the answer where it names the call for good. */
  antwort: string | null;
  /** Of the sighting that stands for all of them. */
  spur: string;
  id: string;
  signal: Sighting['signal'];
  quelle: string;
  version: string | null;
  anbieter: string | null;
  modell: string | null;
  begin: number;
  end: number;
  failed: boolean;
  fehlercode: string | null;
  counts: Counts;
  ersteZeichenMs: number | null;
  werkzeuge: number | null;
  prompt: string | null;
  werkzeug: string | null;
  stufe: string | null;
  kosten: number | null;
  /** Whether a subscription pays for it. */
  abo: boolean;
  who: Who;
  /** What the run is called by, and the span in it that made the call. */
  lauf: string | null;
  schritt: number | null;
  /** Whether its run is a session of many traces, whose steps have no number but their time. */
  isOfSession: boolean;
  eltern: { spur: string; id: string } | null;
  /** What told of it: signal, trace and id of each. */
  sichtungen: string[];
  /** How good its counts are: a better source takes the place of a worse one. */
  rang: number;
}

/** Known to add what the provider counts as a placeholder. */
const ADDS_TOO_MUCH = /^opentelemetry\.instrumentation\.anthropic/;

/** How good the counts of a sighting are. */
function rankOf({ call, quelle, signal }: CallSighting): number {
  if (!countsKnown(call.counts)) return 0;
  const base = call.counts.cacheLese === null ? 20 : 30;
  if (call.dialect === 'anthropic-sdk') return base + 10;
  // The record that these programs write themselves is whole; their spans are a preview.
  const ofLog = call.dialect === 'claude-code' ? 5 : -5;
  return base + (signal === 'log' ? ofLog : 0) - (ADDS_TOO_MUCH.test(quelle) ? 2 : 0);
}

const best = (group: Group): CallSighting[] =>
  group.members.toSorted((a, b) => rankOf(b) - rankOf(a) || b.begin - a.begin || inOrder(a, b));

/** The first one's counts; of the others what it does not know. */
function countsOf([first, ...others]: CallSighting[]): Counts {
  let counts = (first as CallSighting).call.counts;
  for (const { call } of others) {
    const other = call.counts;
    if (counts.eingabe !== null && other.eingabe !== null && counts.eingabe !== other.eingabe) continue;
    counts = {
      eingabe: counts.eingabe ?? other.eingabe,
      ausgabe: counts.ausgabe ?? other.ausgabe,
      cacheLese: counts.cacheLese ?? other.cacheLese,
      cacheSchreib: counts.cacheSchreib ?? other.cacheSchreib,
      cacheSchreib1h: counts.cacheSchreib1h ?? other.cacheSchreib1h,
      denk: counts.denk ?? other.denk,
    };
  }
  return counts;
}

/** What a sighting and what stands around it say, the nearest first. */
function whoAround(sighting: Sighting, forest: Forest): Who {
  let who = sighting.who;
  for (const each of forest.around(sighting)) who = orElse(who, each.who);
  return who;
}

/** The sighting that knows most of where it stands: one without anything around it is a trace of its own. */
function homeOf(group: Group, forest: Forest): CallSighting {
  const richness = (each: CallSighting): number => {
    const who = whoAround(each, forest);
    return (
      (each.signal === 'span' ? 1 : 0) +
      (who.agent ? 8 : 0) +
      (each.parent ? 4 : 0) +
      (saysSomebody(who) ? 2 : 0)
    );
  };
  const [home] = group.members.toSorted((a, b) => richness(b) - richness(a) || inOrder(a, b));
  return home as CallSighting;
}

/** The nearest span around that is not a sighting of the same call. */
function parentOf(home: CallSighting, group: Group, forest: Forest): Call['eltern'] {
  for (const each of forest.around(home))
    if (!group.members.includes(each as CallSighting)) return { spur: each.spur, id: each.id };
  // It may come later, or never; that something made the call is known all the same.
  const known = home.parent !== null && forest.at(home.spur, home.parent) !== undefined;
  return home.parent === null || known ? null : { spur: home.spur, id: home.parent };
}

const firstOf = <T>(members: readonly CallSighting[], read: (member: CallSighting) => T | null): T | null => {
  for (const member of members) {
    const value = read(member);
    if (value !== null) return value;
  }
  return null;
};

/** Which inference profile was asked for stands in one of the names at most. */
const OF_REGION = /^(us|eu|apac|global)\./;

const modelOf = (members: readonly CallSighting[]): string | null =>
  firstOf(members, ({ call }) =>
    call.modell !== null && OF_REGION.test(call.modell) ? call.modell : null,
  ) ?? firstOf(members, ({ call }) => call.modell);

/** The sighting whose name the call keeps: whatever else is known of it. */
function standIn(group: Group): CallSighting {
  const bySignal = (each: CallSighting) => (each.signal === 'span' ? 0 : 1);
  const [first] = group.members.toSorted((a, b) => bySignal(a) - bySignal(b) || inOrder(a, b));
  return first as CallSighting;
}

/** What of all its sightings is known of the call itself. */
function whatOf(members: readonly CallSighting[]) {
  const [main] = members as [CallSighting];
  const failed = members.every((member) => member.failed);
  return {
    antwort: firstOf(members, ({ call }) =>
      call.antwort !== null && isForGood(call.antwort) ? call.antwort : null,
    ),
    quelle: main.quelle,
    version: main.version,
    anbieter: firstOf(members, ({ call }) => call.anbieter),
    modell: modelOf(members),
    begin: main.begin,
    end: main.end,
    failed,
    fehlercode: failed ? firstOf(members, ({ call }) => call.fehlercode) : null,
    counts: countsOf([...members]),
    ersteZeichenMs: firstOf(members, ({ call }) => call.ersteZeichenMs),
    werkzeuge: firstOf(members, ({ call }) => call.werkzeuge),
    prompt: firstOf(members, ({ call }) => call.prompt),
    werkzeug: firstOf(members, ({ call }) => call.werkzeug),
    stufe: firstOf(members, ({ call }) => call.stufe),
    kosten: firstOf(members, ({ call }) => call.kosten),
    abo: firstOf(members, ({ call }) => call.abo ?? null) ?? false,
    rang: rankOf(main),
  };
}

/** Names a sighting among all of a Mandant. */
const nameOf = ({ signal, spur, id }: Pick<Sighting, 'signal' | 'spur' | 'id'>): string =>
  `${signal} ${spur} ${id}`;

/** Logs without a trace are kept by session: all of its steps are known. */
const isSessionItself = (spur: string): boolean => spur.startsWith('log ');

function callOf(group: Group, forest: Forest): Call {
  const members = best(group);
  const home = homeOf(group, forest);
  const { spur, id, signal } = standIn(group);
  const ordered = [home, ...members.filter((member) => member !== home)];
  const said = ordered.map((member) => whoAround(member, forest)).reduce(orElse, NOBODY);
  const who = ordered.map(({ resource }) => resource).reduce(orElse, said);
  return {
    ...whatOf(members),
    spur,
    id,
    signal,
    who,
    lauf: said.lauf ?? home.spur,
    schritt: null,
    isOfSession: members.some(({ programmiert }) => programmiert) && !isSessionItself(spur),
    eltern: parentOf(home, group, forest),
    sichtungen: group.members.map(nameOf).sort(),
  };
}

/** Numbers the calls of each run, in the order of their beginning. */
function number(calls: Call[]): Call[] {
  const steps = new Map<string, number>();
  return calls.map((call) => {
    if (call.lauf === null || call.isOfSession) return call;
    const schritt = (steps.get(call.lauf) ?? 0) + 1;
    steps.set(call.lauf, schritt);
    return { ...call, schritt };
  });
}

/** The calls that sightings tell of, each once, in the order of their beginning, however they came. */
export function callsOf(sightings: Iterable<Sighting>): Call[] {
  const seen = distinct(sightings);
  const forest = new Forest(seen);
  const calls = linkCalls(seen, forest).map((group) => callOf(group, forest));
  const compare = (a: Call, b: Call) => a.begin - b.begin || (a.spur < b.spur ? -1 : 1);
  return number(calls.toSorted(compare));
}
