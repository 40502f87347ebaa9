/**
 * What this process has seen of the parts, in its memory until the database has it: while that is away the history is not lost.
 * Instants are milliseconds of a clock that nobody can set.
 */
import { v7 as uuidv7 } from 'uuid';
import type { Seen } from './history.ts';
import type { Part } from './rules.ts';

/** A part was in that state from `from` to `to`. */
export interface Sighting {
  id: string;
  name: Part['name'];
  status: Seen;
  from: number;
  to: number;
  /** Up to when the database knows of it; null: not at all. */
  writtenTo: number | null;
}

/** Between two looks further apart nobody knows what was. */
const MAX_GAP_MS = 60_000;
/** Weeks of a database that comes and goes every minute; beyond that the oldest are forgotten. */
const MAX_KEPT = 20_000;

const isSeen = (status: Part['status']): status is Seen =>
  status !== 'unbekannt' && status !== 'nicht_eingerichtet';

export interface Timeline {
  /** Takes down how the parts are at an instant; those that are not among them are not looked at any more. */
  note(at: number, parts: readonly Pick<Part, 'name' | 'status'>[]): void;
  /** Since when this process has seen the part in the state it was last noted in; undefined for one that was not noted. */
  since(name: Part['name']): number | undefined;
  /** In order of their beginning. */
  all(): readonly Sighting[];
  /** Takes down what the database has now: these, up to where they went then. What is over is forgotten, if it has it or `isDropped`. */
  noteWritten(
    written: readonly Pick<Sighting, 'id' | 'to'>[],
    isDropped: (sighting: Sighting) => boolean,
  ): void;
  /** What comes after what the database has becomes sightings of their own: its clock was set, and what it has stays as it is. */
  split(): void;
}

export function createTimeline(): Timeline {
  let kept: Sighting[] = [];
  const open = new Map<Part['name'], Sighting>();
  const states = new Map<Part['name'], { status: Part['status']; since: number }>();

  const begin = (name: Part['name'], status: Seen, at: number) => {
    const sighting = { id: uuidv7(), name, status, from: at, to: at, writtenTo: null };
    open.set(name, sighting);
    kept.push(sighting);
    if (kept.length > MAX_KEPT) kept.shift();
  };

  const noteOne = (at: number, { name, status }: Pick<Part, 'name' | 'status'>) => {
    if (states.get(name)?.status !== status) states.set(name, { status, since: at });
    const last = open.get(name);
    const follows = last !== undefined && at - last.to <= MAX_GAP_MS;
    // Until it was seen otherwise it was as it was seen before.
    if (follows) last.to = at;
    if (follows && last.status === status) return;
    open.delete(name);
    if (isSeen(status)) begin(name, status, at);
  };

  return {
    note(at, parts) {
      for (const part of parts) noteOne(at, part);
      const names = new Set(parts.map(({ name }) => name));
      for (const name of states.keys())
        if (!names.has(name)) {
          states.delete(name);
          open.delete(name);
        }
    },
    since: (name) => states.get(name)?.since,
    all: () => kept,
    noteWritten(written, isDropped) {
      const upTo = new Map(written.map(({ id, to }) => [id, to]));
      for (const sighting of kept) sighting.writtenTo = upTo.get(sighting.id) ?? sighting.writtenTo;
      kept = kept.filter(
        (each) => open.get(each.name) === each || !(each.writtenTo === each.to || isDropped(each)),
      );
    },
    split() {
      for (const sighting of kept) {
        if (sighting.writtenTo === null) continue;
        Object.assign(sighting, { id: uuidv7(), from: sighting.writtenTo, writtenTo: null });
      }
    },
  };
}
