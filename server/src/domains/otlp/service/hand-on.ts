/** Makes calls of what was told and hands them on to be counted: those that are new, those that changed, those that are none after all. */
import { createHash } from 'node:crypto';
import { MAX_EVENTS_PER_BATCH } from '#contracts';
import { packEvents, storeInTransaction } from '#domains/ereignisse/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { MandantTx, RequestDatabase } from '#platform/database/index.ts';
import { type Call, callsOf } from '../convert/calls.ts';
import { type CallEvent, eventOf } from '../convert/events.ts';
import { NEIGHBOURHOOD, NEIGHBOURS_AT_ONCE, TRACES_AT_ONCE } from '../limits.ts';
import {
  type By,
  findNeighbours,
  type HandedOn,
  type Kept,
  noteHandedOn,
  readHandedOn,
  readTraces,
  takeDue,
  tryLock,
} from '../store.ts';

/** A call with its event and whose key it came by. */
interface Target {
  call: Call;
  event: CallEvent;
  by: By;
}

/** Whatever changes an event changes this. */
const abdruckOf = (event: CallEvent): Buffer => createHash('sha256').update(JSON.stringify(event)).digest();

/** The calls that these sightings make, each with its event. */
function targetsOf(kept: readonly Kept[]): Target[] {
  const byOf = new Map(kept.map(({ spur, by }) => [spur, by]));
  return callsOf(kept.flatMap(({ sichtungen }) => sichtungen)).map((call) => ({
    call,
    event: eventOf(call),
    by: byOf.get(call.spur) as By,
  }));
}

/** The trace in the name of a sighting. Names of those without a trace have spaces of their own: what counts is what stands first. */
const spurIn = (name: string): string => {
  const [, ...words] = name.split(' ');
  return words[0] === 'log' ? words.slice(0, 2).join(' ') : (words[0] as string);
};

interface Change {
  event: CallEvent;
  by: By;
  handedOn: HandedOn;
  isNew: boolean;
}

/** The events that are new or have changed. */
function changesOf(targets: readonly Target[], before: ReadonlyMap<string, HandedOn>): Change[] {
  return targets.flatMap(({ call, event, by }) => {
    const earlier = before.get(event.ereignis_id);
    const abdruck = abdruckOf(event);
    if (earlier?.abdruck?.equals(abdruck)) return [];
    const fassung = (earlier?.fassung ?? 0) + 1;
    const { spur, sichtungen } = call;
    const { ereignis_id, zeitpunkt } = event;
    const handedOn = { ereignis_id, spur, sichtungen, zeitpunkt, fassung, abdruck };
    const zusatz = { ...event.zusatz, otlp_fassung: fassung };
    return [{ event: { ...event, zusatz }, by, handedOn, isNew: earlier === undefined }];
  });
}

/**
 * What was handed on and is no call of its own any more: another one has taken its sightings, or nothing tells of it now. `before` is what
 * the due traces were about; where a trace of it is not at hand, nothing is known of the whole.
 */
function withdrawnOf(
  targets: readonly Target[],
  before: readonly HandedOn[],
  loaded: ReadonlySet<string>,
): HandedOn[] {
  const ids = new Set(targets.map(({ event }) => event.ereignis_id));
  const told = new Set(targets.flatMap(({ call }) => call.sichtungen));
  return before
    .filter(({ ereignis_id, abdruck }) => abdruck !== null && !ids.has(ereignis_id))
    .filter(
      ({ sichtungen }) =>
        sichtungen.some((name) => told.has(name)) || sichtungen.every((name) => loaded.has(spurIn(name))),
    )
    .map((each) => ({ ...each, fassung: each.fassung + 1, abdruck: null }));
}

const withdrawal = ({ ereignis_id, zeitpunkt, fassung }: HandedOn) => ({
  ereignis_id,
  zeitpunkt,
  quelle: 'otlp',
  zusatz: { otlp_fassung: fassung, otlp_entfaellt: true },
});

const keyOf = ({ schluesselId, projekt }: By): string => `${schluesselId} ${projekt ?? ''}`;

/** One batch for each key and kind: what is new, and what changes. */
async function store(
  tx: MandantTx,
  changes: readonly Change[],
  withdrawn: readonly HandedOn[],
  { by, now }: { by: By; now: Date },
): Promise<void> {
  const put = async (events: CallEvent[] | ReturnType<typeof withdrawal>[], of: By, aendert: boolean) => {
    for (let at = 0; at < events.length; at += MAX_EVENTS_PER_BATCH) {
      const content = packEvents(events.slice(at, at + MAX_EVENTS_PER_BATCH), now);
      await storeInTransaction(tx, { ...of, ...content, receivedAt: now, aendert });
    }
  };
  const groups = Map.groupBy(changes, (change) => `${keyOf(change.by)} ${change.isNew}`);
  for (const group of groups.values()) {
    const [first] = group as [Change];
    await put(
      group.map(({ event }) => event),
      first.by,
      !first.isNew,
    );
  }
  await put(withdrawn.map(withdrawal), by, true);
}

/** What the due traces are about, of all that is at hand: their calls, and those that share sightings with what was handed on of them. */
function aboutDue(all: readonly Target[], known: readonly HandedOn[], due: ReadonlySet<string>) {
  const isDue = ({ sichtungen }: { sichtungen: string[] }) =>
    sichtungen.some((name) => due.has(spurIn(name)));
  const first = all.filter(({ call }) => isDue(call));
  const told = new Set(first.flatMap(({ call }) => call.sichtungen));
  const before = known.filter((each) => isDue(each) || each.sichtungen.some((name) => told.has(name)));
  const shared = new Set(before.flatMap(({ sichtungen }) => sichtungen));
  return {
    targets: all.filter(({ call }) => call.sichtungen.some((name) => shared.has(name) || told.has(name))),
    before,
  };
}

/** All that may belong together with the due traces, and what was handed on of it. Calls of neighbours alone are left as they are. */
async function load(tx: MandantTx, due: readonly string[]) {
  const neighbours = await findNeighbours(tx, due, { within: NEIGHBOURHOOD, most: NEIGHBOURS_AT_ONCE });
  const spuren = [...due, ...neighbours];
  const kept = await readTraces(tx, spuren);
  const dueSet = new Set(due);
  let all = targetsOf(kept);
  const known = await readHandedOn(
    tx,
    spuren,
    all.map(({ event }) => event.ereignis_id),
  );
  const elsewhere = [...new Set(known.map(({ spur }) => spur))].filter((spur) => !spuren.includes(spur));
  // The same answer was told of in a trace far away.
  if (elsewhere.length > 0) all = targetsOf([...kept, ...(await readTraces(tx, elsewhere))]);
  const loaded = new Set([...spuren, ...elsewhere]);
  return { ...aboutDue(all, known, dueSet), known, loaded, by: kept[0]?.by };
}

/** Hands on what is due of a Mandant, some traces at a time; resolves with how many of them, null where somebody else is at it. */
async function handOnDue(db: RequestDatabase, mandant: MandantId, now: Date): Promise<number | null> {
  return db.forMandant(mandant, async (tx) => {
    if (!(await tryLock(tx))) return null;
    const due = await takeDue(tx, now, TRACES_AT_ONCE);
    if (due.length === 0) return 0;
    const { targets, before, known, loaded, by } = await load(tx, due);
    // What was told is removed after a day: then nothing is known of it any more.
    if (!by) return due.length;
    const changes = changesOf(targets, new Map(known.map((each) => [each.ereignis_id, each])));
    const withdrawn = withdrawnOf(targets, before, loaded);
    await store(tx, changes, withdrawn, { by, now });
    await noteHandedOn(tx, [...changes.map(({ handedOn }) => handedOn), ...withdrawn], now);
    return due.length;
  });
}

/** Hands on all that is due; resolves with how many traces, null where somebody else is at it, who may not see all of them. */
export async function handOnAll(db: RequestDatabase, mandant: MandantId, now: Date): Promise<number | null> {
  let traces = 0;
  for (;;) {
    const done = await handOnDue(db, mandant, now);
    if (done === null) return null;
    traces += done;
    if (done < TRACES_AT_ONCE) return traces;
  }
}
