/** Which sightings are of one call: two libraries, two signals, a wrapper around what it wraps. */
import { isForGood } from './answer.ts';
import type { Forest } from './forest.ts';
import type { SeenCall, Sighting } from './sighting.ts';
import type { Counts } from './usage.ts';

/** A sighting of a call. */
export type CallSighting = Sighting & { call: SeenCall };

const isCall = (sighting: Sighting): sighting is CallSighting => sighting.call !== null;

/** A second, in the microseconds that times are kept in. */
const SECOND = 1_000_000;
/** How far the clocks of two libraries in one process are apart, reading one after the other. */
const TOLERANCE = 5_000;
/** A log record is written when the span is over, or shortly before. */
const NEAR = 5 * SECOND;
/** Ids of local servers begin anew with each start: sightings of one call are not so far apart. */
const SAME_START = 10 * SECOND;

/** The sightings of one call. */
export class Group {
  readonly members: CallSighting[];
  /** Stood around several calls that tell of themselves. */
  absorbed = false;

  constructor(first: CallSighting) {
    this.members = [first];
  }
}

/** Groups that grow together. */
class Groups {
  readonly #of = new Map<CallSighting, Group>();

  constructor(calls: readonly CallSighting[]) {
    for (const call of calls) this.#of.set(call, new Group(call));
  }

  of(call: CallSighting): Group {
    return this.#of.get(call) as Group;
  }

  join(one: CallSighting, other: CallSighting): void {
    const into = this.of(one);
    const from = this.of(other);
    if (into === from) return;
    into.members.push(...from.members);
    for (const member of from.members) this.#of.set(member, into);
  }

  all(): Group[] {
    return [...new Set(this.#of.values())].filter(({ absorbed }) => !absorbed);
  }
}

export const countsKnown = ({ eingabe, ausgabe }: Counts): boolean => eingabe !== null || ausgabe !== null;

/** A count that one of both does not say may be that of the other. */
const agrees = (one: number | null, other: number | null): boolean =>
  one === null || other === null || one === other;

/** Whether both say how much it was, and the same. */
function sameCounts(one: Counts, other: Counts): boolean {
  if (!countsKnown(one) || !countsKnown(other)) return false;
  return agrees(one.eingabe, other.eingabe) && agrees(one.ausgabe, other.ausgabe);
}

/** Two ids that are not the same are of two calls. */
const contradicts = (one: SeenCall, other: SeenCall): boolean =>
  one.antwort !== null && other.antwort !== null && one.antwort !== other.antwort;

const apart = (one: Sighting, other: Sighting): number =>
  Math.max(one.begin - other.end, other.begin - one.end, 0);

/** A log record that names a call's span is of that call. */
function joinBySpan(calls: readonly CallSighting[], forest: Forest, groups: Groups): void {
  for (const log of calls) {
    if (log.signal !== 'log' || log.parent === null) continue;
    const span = forest.at(log.spur, log.parent);
    if (span && isCall(span)) groups.join(span, log);
  }
}

function joinByAnswer(calls: readonly CallSighting[], groups: Groups): void {
  const byId = new Map<string, CallSighting[]>();
  for (const each of calls) {
    const id = each.call.antwort;
    if (id === null) continue;
    const earlier = byId.get(id) ?? [];
    byId.set(id, earlier);
    const same = earlier.find(
      (other) =>
        isForGood(id) ||
        (other.instanz === each.instanz &&
          apart(other, each) <= SAME_START &&
          (other.spur === each.spur ||
            !countsKnown(other.call.counts) ||
            !countsKnown(each.call.counts) ||
            sameCounts(other.call.counts, each.call.counts))),
    );
    if (same) groups.join(same, each);
    earlier.push(each);
  }
}

/** The call directly around another one: what an agent or a tool does within a call is its own. */
function directlyAround(call: CallSighting, forest: Forest): CallSighting | null {
  for (const each of forest.around(call)) {
    if (isCall(each)) return each;
    if (each.kind === 'agent' || each.kind === 'tool') return null;
  }
  return null;
}

/** Whether a call around another one is the same, told from further outside. */
function wraps(outer: CallSighting, inner: CallSighting): boolean {
  if (contradicts(outer.call, inner.call)) return false;
  if (outer.call.antwort !== null && outer.call.antwort === inner.call.antwort) return true;
  if (outer.failed && inner.failed) return true;
  return !countsKnown(outer.call.counts) || sameCounts(outer.call.counts, inner.call.counts);
}

/** Whether the outer counts are those of all inner ones together. */
function isSum(outer: Counts, inner: readonly CallSighting[]): boolean {
  const sum = (name: 'eingabe' | 'ausgabe') =>
    inner.reduce((all, { call }) => all + (call.counts[name] ?? 0), 0);
  return outer.eingabe === sum('eingabe') && outer.ausgabe === sum('ausgabe');
}

/** By each call that stands around others directly: one sighting of each of those. */
function insideOf(calls: readonly CallSighting[], forest: Forest, groups: Groups) {
  const inside = new Map<CallSighting, CallSighting[]>();
  for (const call of calls) {
    const outer = call.signal === 'span' ? directlyAround(call, forest) : null;
    if (!outer) continue;
    const inner = inside.get(outer) ?? [];
    inside.set(outer, inner);
    if (!inner.some((other) => groups.of(other) === groups.of(call))) inner.push(call);
  }
  return inside;
}

/** Makes a call around several one of them, or none, where it is no call of its own. */
function joinAroundSeveral(outer: CallSighting, inner: readonly CallSighting[], groups: Groups): void {
  const { counts } = outer.call;
  const same = inner.find((each) => sameCounts(counts, each.call.counts) && wraps(outer, each));
  if (same) groups.join(same, outer);
  else if (!countsKnown(counts) || isSum(counts, inner)) groups.of(outer).absorbed = true;
}

function joinWrappers(calls: readonly CallSighting[], forest: Forest, groups: Groups): void {
  for (const [outer, inner] of insideOf(calls, forest, groups)) {
    const [only] = inner;
    if (inner.length > 1) joinAroundSeveral(outer, inner, groups);
    else if (only && wraps(outer, only)) groups.join(only, outer);
  }
}

/** Models as two libraries name them: one with the version that answered, the other as it was asked for. */
function sameModel(one: SeenCall, other: SeenCall): boolean {
  if (one.modell === null || other.modell === null) return true;
  return one.modell.startsWith(other.modell) || other.modell.startsWith(one.modell);
}

const within = (inner: Sighting, outer: Sighting): boolean =>
  inner.begin >= outer.begin - TOLERANCE && inner.end <= outer.end + TOLERANCE;

/** Without ids: how sure it is that two sightings are of one call; 0 is the surest, null not at all. */
function likeness(one: CallSighting, other: CallSighting): number | null {
  if (contradicts(one.call, other.call) || !sameModel(one.call, other.call)) return null;
  if (one.failed !== other.failed) return null;
  if (one.failed || sameCounts(one.call.counts, other.call.counts)) return 0;
  const known = [one, other].filter(({ call }) => countsKnown(call.counts)).length;
  return known === 2 ? null : 1;
}

/** Whether the members of both groups are of different libraries or signals: two of one library are two calls. */
function canBeOne(one: Group, other: Group): boolean {
  const told = new Set(one.members.map(toldBy));
  return one !== other && !other.members.some((member) => told.has(toldBy(member)));
}

interface Pair {
  one: CallSighting;
  other: CallSighting;
  rank: number;
  distance: number;
}

/** Joins the surest pairs first, each group with one of each library at most. */
function joinPairs(pairs: Pair[], groups: Groups): void {
  pairs.sort((a, b) => a.rank - b.rank || a.distance - b.distance);
  for (const { one, other } of pairs) if (canBeOne(groups.of(one), groups.of(other))) groups.join(one, other);
}

const distanceOf = (one: Sighting, other: Sighting): number =>
  Math.abs(one.begin - other.begin) + Math.abs(one.end - other.end);

/** Libraries beside each other in one process: the time of one call lies within that of the other. */
function twinOf(outer: CallSighting, inner: CallSighting): Pair | null {
  if (outer.signal === 'log' || inner.signal === 'log' || outer.quelle === inner.quelle) return null;
  if (!(within(inner, outer) || within(outer, inner))) return null;
  const rank = likeness(outer, inner);
  return rank === null ? null : { one: outer, other: inner, rank, distance: distanceOf(outer, inner) };
}

/** The log record of a span of the same program, where neither names the other. */
function echoOf(one: CallSighting, other: CallSighting): Pair | null {
  if (one.signal === other.signal || one.call.dialect !== other.call.dialect) return null;
  const late = Math.abs(one.end - other.end);
  if (late > NEAR || one.who.sitzung !== other.who.sitzung) return null;
  const rank = likeness(one, other);
  return rank === 0 ? { one, other, rank, distance: late } : null;
}

/** By which signal and library a call was told: no two that were told alike are one, unless they say so. */
const toldBy = ({ signal, quelle }: Sighting): string => `${signal} ${quelle}`;

/** The pairs that a call makes with those that were told in other ways and lie near before it; who lies further back is forgotten. */
function pairsWith(call: CallSighting, ways: Map<string, CallSighting[]>): Pair[] {
  const pairs: Pair[] = [];
  for (const [way, told] of ways) {
    if (way === toldBy(call)) continue;
    const near = told.filter(({ end }) => end + NEAR >= call.begin);
    ways.set(way, near);
    for (const earlier of near)
      pairs.push(...[twinOf(earlier, call) ?? echoOf(earlier, call)].filter((pair) => pair !== null));
  }
  return pairs;
}

/** All pairs of one process that lie near each other in time and were told in different ways. */
function nearPairs(calls: readonly CallSighting[]): Pair[] {
  const open = new Map<string, Map<string, CallSighting[]>>();
  return calls.flatMap((call) => {
    const ways = open.get(call.instanz) ?? new Map<string, CallSighting[]>();
    open.set(call.instanz, ways);
    const pairs = pairsWith(call, ways);
    const alike = ways.get(toldBy(call)) ?? [];
    ways.set(toldBy(call), alike);
    alike.push(call);
    return pairs;
  });
}

/**
 * What all calls of a trace have in common where no call of another trace with the same can be one of them: signal and library, and ids
 * that name them for good, if any. Null where that is not so.
 */
export function kindOfCalls(sightings: readonly Sighting[]): string | null {
  const calls = sightings.filter(isCall);
  const [first] = calls;
  if (first === undefined) return null;
  const isAlike = (each: CallSighting) =>
    toldBy(each) === toldBy(first) && (each.call.antwort === null || isForGood(each.call.antwort));
  return calls.every(isAlike) ? toldBy(first) : null;
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** One order, however they came. */
export const inOrder = (one: Sighting, other: Sighting): number =>
  one.begin - other.begin ||
  compare(one.spur, other.spur) ||
  compare(one.id, other.id) ||
  compare(one.signal, other.signal) ||
  compare(one.quelle, other.quelle);

/** Each record once, however often it was sent. */
export function distinct(sightings: Iterable<Sighting>): Sighting[] {
  const found = new Map<string, Sighting>();
  for (const each of sightings) {
    const key = `${each.signal} ${each.quelle} ${each.spur}/${each.id}`;
    if (!found.has(key)) found.set(key, each);
  }
  return [...found.values()].sort(inOrder);
}

/** Groups the sightings of calls, one group for each call. `sightings` are distinct and in order. */
export function linkCalls(sightings: readonly Sighting[], forest: Forest): Group[] {
  const calls = sightings.filter(isCall);
  const groups = new Groups(calls);
  joinBySpan(calls, forest, groups);
  joinByAnswer(calls, groups);
  joinWrappers(calls, forest, groups);
  joinPairs(nearPairs(calls), groups);
  return groups.all();
}
