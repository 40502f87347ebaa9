/**
 * The counting transaction: inbox rows go, events, ids, sums, runs and dimensions come, all or nothing. A crash at any
 * point leaves the inbox as it was; a second worker finds the Mandanten locked.
 */
import type pg from 'pg';
import type { RunChange, RunMemory } from '#domains/laeufe/index.ts';
import { askAsOwner } from '#platform/database/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { EventIds } from './event-ids.ts';
import type { RememberedChoices } from './kept-values.ts';
import type { Merkmale } from './merkmale.ts';
import { noteImports, type RetoldOfMandanten } from './note-imports.ts';
import { isPassing, StretchChanged } from './passing.ts';
import { takeOffReserved } from './reserved.ts';
import { findRetold } from './retold.ts';
import type { RunTotal } from './runs.ts';
import { eventsOf, type FoundIds, storeNew } from './store-new.ts';
import type { PackedPart, Part, Stretch } from './stretch.ts';
import { takeBack } from './take-back.ts';
import { type Locked, takeBatches } from './taking.ts';
import type { RunEdition } from './write/runs.ts';
import { addCounted } from './write/write.ts';
import type { Counted } from './write/written.ts';

export type CountResult =
  | { kind: 'counted'; events: number; duplicates: number }
  /** Another worker has the Mandant, or has counted these batches already. */
  | { kind: 'taken' };

/** What counting remembers from one stretch to the next. */
export interface Remembered {
  merkmale: Merkmale;
  runs: RunMemory;
  kept: RememberedChoices;
}

/** What a stretch adds to the runs of a Mandant. */
interface ChangedRuns {
  mandant: string;
  changes: RunChange[];
}

function changedRuns(
  part: Part,
  resolved: Counted['resolved'],
  editions: Map<string, RunEdition>,
): ChangedRuns {
  const { mandant, steps, sums, runs } = part;
  const modelNumber = (modell: string) => resolved.ids[sums.values.find('modell', modell)] as number;
  const changes: RunChange[] = [];
  for (const [lauf, places] of steps.byRun) {
    const { agent, projekt, endkunde, eur } = runs.totals.get(lauf) as RunTotal;
    const { aufrufe, fassung } = editions.get(lauf) as RunEdition;
    const added = places.map((place) => steps.at(place, modelNumber));
    changes.push({ lauf, agent, projekt, endkunde, eur, aufrufe, fassung, steps: added });
  }
  return { mandant, changes };
}

/** What was added up. */
interface AddedUp {
  counted: Counted[];
  runs: ChangedRuns[];
}

/** Adds up what was copied; returns what has to be remembered of it. */
async function addUp(
  client: pg.PoolClient,
  parts: Part[],
  locked: Map<string, Locked>,
  { merkmale, runs: memory }: Remembered,
): Promise<AddedUp> {
  const filled = parts.filter(({ ids }) => ids.count > 0);
  if (filled.length === 0) return { counted: [], runs: [] };
  const resolved = await merkmale.resolve(
    client,
    filled.map(({ mandant, sums }) => ({
      mandant,
      values: sums.values,
      stand: locked.get(mandant) as Locked,
    })),
  );
  const counted = filled.map((part, index) => ({
    mandant: part.mandant,
    marken: (locked.get(part.mandant) as Locked).marken,
    gedaechtnis: memory.id,
    sums: part.sums,
    keys: part.keys,
    sources: part.sources.within((locked.get(part.mandant) as Locked).quellen),
    resolved: resolved[index] as Counted['resolved'],
    runs: [...part.runs.totals.values()],
    agents: part.agents.calls,
    count: part.ids.count,
    span: part.span,
  }));
  const editions = await addCounted(client, counted);
  for (const { mandant, reserved } of filled) await takeOffReserved(client, mandant, reserved.parts);
  const runs = filled.map((part, index) =>
    changedRuns(part, (counted[index] as Counted).resolved, editions.get(part.mandant) ?? new Map()),
  );
  return { counted, runs };
}

/** Calls of which another way has told: they count under the ids that it gave them. */
async function findTold(
  client: pg.PoolClient,
  parts: Part[],
  locked: Map<string, Locked>,
): Promise<RetoldOfMandanten> {
  const told: RetoldOfMandanten = new Map();
  for (const { mandant, retold } of parts) {
    const found = await findRetold(askAsOwner(client), mandant, retold, locked.get(mandant)?.quellen);
    if (found.length > 0) told.set(mandant, found);
  }
  return told;
}

/** The ids of calls that are counted already by another way. */
function idsOf(told: RetoldOfMandanten): FoundIds {
  const found: FoundIds = new Map();
  for (const [mandant, calls] of told) {
    const ids = new EventIds();
    for (const { id } of calls) ids.addText(id);
    found.set(mandant, ids);
  }
  return found;
}

/** What a transaction has counted, and what has to be remembered of it. */
interface InTransaction extends AddedUp {
  result: CountResult;
}

async function countIn(
  client: pg.PoolClient,
  remembered: Remembered,
  stretch: Stretch,
): Promise<InTransaction> {
  const { parts } = stretch;
  const locked = await takeBatches(client, parts);
  const batches = (part: Part) => part.eingangIds.length;
  const taken = (part: Part) => locked.get(part.mandant)?.taken ?? 0;
  // Nothing left: somebody counts them, or counted them between reading and locking.
  if (parts.every((part) => !locked.has(part.mandant) || (taken(part) === 0 && batches(part) > 0)))
    return { result: { kind: 'taken' }, counted: [], runs: [] };
  // Pricing anew takes this lock first: nothing is counted by an older book behind its back.
  const isByAnotherBook = (part: Part) => locked.get(part.mandant)?.fassung !== part.fassung;
  // … and who chooses which values have running sums: nothing is counted past the ones that were just made.
  const isByAnotherChoice = (part: Part) => locked.get(part.mandant)?.gefuehrt !== part.kept.version;
  const changed = parts.filter(
    (part) => taken(part) !== batches(part) || isByAnotherBook(part) || isByAnotherChoice(part),
  );
  for (const part of changed) if (isByAnotherChoice(part)) remembered.kept.forget(part.mandant);
  if (changed.length > 0) throw new StretchChanged(changed.map(({ mandant }) => mandant));
  for (const { mandant, renewed } of parts)
    await takeBack(client, mandant, locked.get(mandant) as Locked, renewed);
  const told = await findTold(client, parts, locked);
  const fresh = await storeNew(client, stretch, idsOf(told));
  await noteImports(client, parts, { fresh: fresh.parts, told });
  const { counted, runs } = await addUp(client, fresh.parts, locked, remembered);
  const sent = parts.reduce((sum, { repeats, ids }) => sum + repeats + ids.count, 0);
  const events = eventsOf(fresh.parts);
  const result = { kind: 'counted' as const, events, duplicates: sent - events };
  return { result, counted, runs };
}

/** A counting transaction, and what is remembered of it: runs before it commits, since its mark may be taken as soon as it has. */
async function transact(
  db: OwnerDatabase,
  { merkmale, runs: memory }: Remembered,
  count: (client: pg.PoolClient) => Promise<InTransaction>,
): Promise<CountResult> {
  let advanced: ChangedRuns[] = [];
  try {
    // A crash that undoes the commit brings the batches back into the inbox, too.
    const { result, counted } = await db.repeatable(async (client) => {
      const done = await count(client);
      advanced = done.runs;
      for (const { mandant, changes } of advanced)
        for (const change of changes) memory.advance(mandant, change);
      return done;
    });
    for (const { mandant, resolved } of counted)
      if (resolved.fresh) merkmale.remember(mandant, resolved.fresh);
    return result;
  } catch (error) {
    for (const { mandant, changes } of advanced) for (const { lauf } of changes) memory.forget(mandant, lauf);
    throw error;
  }
}

/** Counts one stretch. Throws what the database throws; then nothing has changed. */
export const countStretch = (
  db: OwnerDatabase,
  remembered: Remembered,
  stretch: Stretch,
): Promise<CountResult> => transact(db, remembered, (client) => countIn(client, remembered, stretch));

/** Undoes a transaction that has come to its end. */
class Rehearsed extends Error {}

/** Counts a stretch and undoes it: resolves with why it cannot be counted, null when it can. Throws what passes. */
export async function rehearse(
  db: OwnerDatabase,
  remembered: Remembered,
  stretch: Stretch,
): Promise<unknown> {
  try {
    return await db.repeatable(async (client) => {
      const { result } = await countIn(client, remembered, stretch);
      if (result.kind === 'taken') throw new StretchChanged(stretch.parts.map(({ mandant }) => mandant));
      throw new Rehearsed();
    });
  } catch (error) {
    if (error instanceof Rehearsed) return null;
    if (isPassing(error)) throw error;
    return error;
  }
}

/** Events of a batch that cannot be counted. */
export interface Aside {
  mandant: string;
  eingangId: string;
  faulty: PackedPart;
  reason: string;
}

/** Counts the rest of a batch and sets aside the events that cannot be counted, both or neither. */
export function countTheRest(
  db: OwnerDatabase,
  remembered: Remembered,
  rest: Stretch,
  { mandant, eingangId, faulty, reason }: Aside,
): Promise<CountResult> {
  return transact(db, remembered, async (client) => {
    await client.query(
      `INSERT INTO eingang_unzaehlbar (mandant_id, eingang_id, empfangen_am, schluessel_id, projekt, anzahl, umfang, daten, grund, import_id)
       SELECT mandant_id, eingang_id, empfangen_am, schluessel_id, projekt, $3, $4, $5, $6, import_id FROM eingang
       WHERE mandant_id = $1 AND eingang_id = $2`,
      [mandant, eingangId, faulty.anzahl, faulty.umfang, faulty.daten, reason],
    );
    const done = await countIn(client, remembered, rest);
    if (done.result.kind === 'taken') throw new StretchChanged([mandant]);
    return done;
  });
}

/** Sets a batch aside of which nothing can be counted: it leaves the inbox, stays stored with the reason, and shows in status and metrics. */
export async function setAside(
  db: OwnerDatabase,
  mandant: string,
  eingangId: string,
  reason: string,
): Promise<void> {
  await db.query(
    `WITH weg AS (DELETE FROM eingang WHERE mandant_id = $1 AND eingang_id = $2 RETURNING *)
     INSERT INTO eingang_unzaehlbar (mandant_id, eingang_id, empfangen_am, schluessel_id, projekt, anzahl, umfang, daten, grund, import_id)
     SELECT mandant_id, eingang_id, empfangen_am, schluessel_id, projekt, anzahl, umfang, daten, $3, import_id FROM weg`,
    [mandant, eingangId, reason],
  );
}
