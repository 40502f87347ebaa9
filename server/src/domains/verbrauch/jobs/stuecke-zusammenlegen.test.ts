/** Pieces are put together, by the day and the month; what they add up to is the same to the last digit, whatever happens meanwhile. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DIMENSION_NAMES, DIMENSIONS } from '#contracts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { registerAccount } from '#test/account.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
import { dyingAt, pausingAt } from '#test/interrupted-database.ts';
import { ownerOf } from '#test/jobs.ts';
import { readCrossedSums, unpackPiece } from '#test/pieces.ts';
import { startService, type TestService } from '#test/service.ts';
import { MOST_ROWS } from '../owner/put-together.ts';
import { AMOUNT_NAMES, COUNT_NAMES } from '../pieces/columns.ts';
import { textOfDay } from '../pieces/periods.ts';
import { PieceRows } from '../pieces/piece-rows.ts';
import { HISTOGRAMS, STEPS } from '../rollup.ts';
import { stueckeZusammenlegenJob } from './stuecke-zusammenlegen.ts';

const TODAY = Math.floor(Date.now() / 86_400_000);
const VALUES = 5;

let service: TestService;
let owner: OwnerDatabase;
let mandant: string;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});
beforeEach(async () => {
  mandant = (await registerAccount(service)).mandantId;
  for (const [place, name] of DIMENSION_NAMES.entries())
    for (let value = 1; value <= VALUES; value += 1)
      await service.sql(
        'INSERT INTO merkmale (mandant_id, dimension, merkmal_id, text) VALUES ($1, $2, $3, $4)',
        [mandant, DIMENSIONS[name].number, place * VALUES + value, `${name} ${value}`],
      );
});
afterEach(() => service.sql('DELETE FROM verbrauch_stuecke'));

/** What a row of a piece adds. */
interface Row {
  tag: number;
  minute: number;
  values: number[];
  counts: number[];
  amounts: bigint[];
  steps: number[];
}

let marks = 0;

/** Leaves a piece as counting does; `age` in minutes. */
async function leave(rows: readonly Row[], age = 20): Promise<void> {
  const piece = new PieceRows();
  for (const { tag, minute, values, counts, amounts, steps } of rows) {
    piece.add();
    piece.set('tag', tag);
    piece.set('stunde', tag * 1_440 + minute - (minute % 60));
    piece.set('minute', tag * 1_440 + minute);
    for (const [place, name] of DIMENSION_NAMES.entries())
      piece.set(name, (values[place] as number) && place * VALUES + (values[place] as number));
    for (const [place, name] of COUNT_NAMES.entries()) piece.set(name, counts[place] as number);
    for (const [place, name] of AMOUNT_NAMES.entries()) piece.setAmount(name, amounts[place] as bigint);
    for (const [place, name] of HISTOGRAMS.entries()) piece.set(name, steps[place] as number);
  }
  const days = rows.map(({ tag }) => tag);
  marks += 1;
  await service.sql(
    `INSERT INTO verbrauch_stuecke (mandant_id, nummer, tag_von, tag_bis, anzahl, daten, faellig_am)
     VALUES ($1, $2, $3, $4, $5, $6, now() + interval '10 minutes' - make_interval(mins => $7))`,
    [
      mandant,
      marks,
      textOfDay(days.reduce((least, day) => Math.min(least, day))),
      textOfDay(days.reduce((most, day) => Math.max(most, day))),
      rows.length,
      piece.pack(
        DIMENSION_NAMES,
        Array.from({ length: VALUES * DIMENSION_NAMES.length + 1 }, (_, value) => value),
      ),
      age,
    ],
  );
}

const row = (tag: number, seed = 0): Row => ({
  tag,
  minute: seed % 1_440,
  values: DIMENSION_NAMES.map((_, place) => 1 + ((seed * (place + 3)) % VALUES)),
  counts: COUNT_NAMES.map((_, place) => (place === 0 ? 1 : seed % (place + 1))),
  amounts: AMOUNT_NAMES.map(() => BigInt(seed) * 10n ** 20n),
  steps: HISTOGRAMS.map(() => 1),
});
const rowsOf = (tag: number, count: number): Row[] =>
  Array.from({ length: count }, (_, seed) => row(tag, seed));

interface Stored extends Record<string, unknown> {
  nummer: number;
  marke: string;
  tag_von: string;
  tag_bis: string;
  anzahl: number;
  daten: Buffer;
  roh: boolean;
  faellig_am: string | null;
}
const stored = () =>
  service.sql<Stored>('SELECT * FROM verbrauch_stuecke WHERE mandant_id = $1 ORDER BY tag_von, nummer', [
    mandant,
  ]);
const run = (db: OwnerDatabase = owner) =>
  stueckeZusammenlegenJob({ owner: db, log: service.context.log }).run();
/** All that waits for a time is due. */
const letTimePass = () =>
  service.sql(
    `UPDATE verbrauch_stuecke SET faellig_am = now() - interval '1 day' WHERE faellig_am IS NOT NULL`,
  );
async function settle(): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await letTimePass();
    await run();
  }
}

// ── whatever happens, the sum is the same ───────────────────────────────────────────────────────────────────

const amount = fc.oneof(
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
  fc.constantFrom(0n, 1n, -1n, 10n ** 22n, -(10n ** 37n)),
);
const count = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(2 ** 31 - 1, 1 - 2 ** 31));
const tag = fc.oneof(
  fc.integer({ min: TODAY - 2, max: TODAY + 1 }),
  fc.integer({ min: TODAY - 70, max: TODAY }),
  fc.constantFrom(-719_162, 0, TODAY - 1_000),
);
const arbitraryRow: fc.Arbitrary<Row> = fc.record({
  tag,
  minute: fc.integer({ min: 0, max: 1_439 }),
  values: fc.array(fc.integer({ min: 0, max: VALUES }), { minLength: 7, maxLength: 7 }),
  counts: fc.array(count, { minLength: COUNT_NAMES.length, maxLength: COUNT_NAMES.length }),
  amounts: fc.array(amount, { minLength: AMOUNT_NAMES.length, maxLength: AMOUNT_NAMES.length }),
  steps: fc.array(fc.integer({ min: 0, max: STEPS }), { minLength: 2, maxLength: 2 }),
});
const negative = (given: Row): Row => ({
  ...given,
  counts: given.counts.map((each) => -each),
  amounts: given.amounts.map((each) => -each),
});
/** Some of its calls are taken back, as they are or not quite. */
const arbitraryPiece = fc
  .tuple(
    fc.array(arbitraryRow, { minLength: 1, maxLength: 12 }),
    fc.array(fc.record({ at: fc.nat(11), isOther: fc.boolean() }), { maxLength: 8 }),
  )
  .map(([rows, back]) => [
    ...rows,
    ...back.flatMap(({ at, isOther }): Row[] => {
      const taken = rows[at];
      return taken ? [negative(isOther ? { ...taken, steps: [0, 0] } : taken)] : [];
    }),
  ]);

type Step =
  | { kind: 'leave'; pieces: Row[][] }
  | { kind: 'run'; passes: boolean }
  | { kind: 'twice'; meanwhile: Row[] }
  | { kind: 'killed'; statement: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('leave' as const),
    pieces: fc.array(arbitraryPiece, { minLength: 1, maxLength: 20 }),
  }),
  fc.record({ kind: fc.constant('run' as const), passes: fc.boolean() }),
  fc.record({ kind: fc.constant('twice' as const), meanwhile: arbitraryPiece }),
  fc.record({ kind: fc.constant('killed' as const), statement: fc.integer({ min: 0, max: 30 }) }),
);

async function take(given: Step): Promise<void> {
  if (given.kind === 'leave') for (const rows of given.pieces) await leave(rows, 90);
  else if (given.kind === 'run') {
    if (given.passes) await letTimePass();
    await run();
  } else if (given.kind === 'twice') await Promise.all([run(), leave(given.meanwhile, 90), run()]);
  else await run(dyingAt(owner, given.statement)).catch(() => undefined);
}

test(
  'pieces add up to the same, whatever is put together, by whom, and who dies at it',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        await service.sql('DELETE FROM verbrauch_stuecke');
        const left: Row[] = [];
        for (const given of steps) {
          if (given.kind === 'leave') left.push(...given.pieces.flat());
          if (given.kind === 'twice') left.push(...given.meanwhile);
          await take(given);
        }
        const found = await readCrossedSums(service.sql);
        await settle();
        const together = await readCrossedSums(service.sql);
        await service.sql('DELETE FROM verbrauch_stuecke');
        if (left.length > 0) await leave(left);
        const expected = await readCrossedSums(service.sql);
        expect(found).toEqual(expected);
        expect(together).toEqual(expected);
      }),
      { numRuns: fuzzRuns(200) },
    );
  },
  fuzzTime(),
);

test('who dies anywhere has changed nothing, or all of it', async () => {
  for (let statement = 0; statement < 40; statement += 1) {
    await service.sql('DELETE FROM verbrauch_stuecke');
    for (let piece = 0; piece < 3; piece += 1)
      await leave([row(TODAY - 40, piece), row(TODAY - 1, piece)], 90);
    const before = await readCrossedSums(service.sql);
    const isDead = await run(dyingAt(owner, statement)).then(
      () => false,
      () => true,
    );
    expect(await readCrossedSums(service.sql)).toEqual(before);
    await run();
    expect((await stored()).map(({ roh }) => roh)).toEqual([false, false]);
    if (!isDead) return;
  }
  throw new Error('it never gets through');
});

// ── what becomes of them ────────────────────────────────────────────────────────────────────────────────────

test('a piece has one day in order, new marks and numbers that no mark has; what is young waits', async () => {
  for (let piece = 0; piece < 120; piece += 1)
    await leave([row(TODAY, piece), row(TODAY - 1, piece + 1), row(TODAY, piece + 7)]);
  await leave([row(TODAY)], 5);
  const before = await stored();
  await run();
  const after = await stored();
  expect(after.map(({ tag_von, tag_bis, anzahl, roh }) => [tag_von, tag_bis, anzahl, roh])).toEqual([
    [textOfDay(TODAY - 1), textOfDay(TODAY - 1), 120, false],
    [textOfDay(TODAY), textOfDay(TODAY), 240, false],
    [textOfDay(TODAY), textOfDay(TODAY), 1, true],
  ]);
  const marken = new Set(before.map(({ marke }) => marke));
  expect(after.map(({ marke }) => marken.has(marke))).toEqual([false, false, true]);
  expect(after.map(({ nummer }) => nummer < 0)).toEqual([true, true, false]);
  const { columns } = unpackPiece(after[1]?.daten as Buffer);
  const keys = Array.from({ length: 240 }, (_, at) =>
    (['endkunde', 'agent', 'modell'] as const).map((name) => Number(columns.get(name)?.[at] ?? 0)),
  );
  const compare = (a: number[], b: number[]) =>
    a.map((value, at) => value - (b[at] as number)).find(Boolean) ?? 0;
  expect(keys).toEqual(keys.toSorted(compare));
  expect(new Set(keys.map(String)).size).toBeGreaterThan(1);
});

test('a call that was taken back as it was counted goes, one that has changed since stays', async () => {
  const [kept, gone, changed] = [row(TODAY, 1), row(TODAY, 2), row(TODAY, 3)];
  await leave([kept, gone, gone, changed], 90);
  await leave([negative(gone), { ...negative(changed), amounts: changed.amounts.map(() => 1n) }], 90);
  const before = await readCrossedSums(service.sql);
  await run();
  expect((await stored()).map(({ anzahl }) => anzahl)).toEqual([4]);
  expect(await readCrossedSums(service.sql)).toEqual(before);
  await leave([negative(kept), negative(gone)], 90);
  await service.sql('DELETE FROM verbrauch_stuecke WHERE NOT roh');
  await leave([kept, gone], 90);
  await run();
  expect(await stored()).toEqual([]);
});

test('few pieces wait for an hour', async () => {
  await leave([row(TODAY)], 30);
  await leave([row(TODAY)], 30);
  expect(await run()).toEqual({ mandanten: 0 });
  await leave([row(TODAY)], 61);
  expect(await run()).toEqual({ mandanten: 1 });
  expect((await stored()).map(({ anzahl }) => anzahl)).toEqual([3]);
  expect(await run()).toEqual({ mandanten: 0 });
});

test('a trickle over a year is a piece a month, and one for each day of this month', async () => {
  const days = 400;
  for (let day = TODAY - days; day <= TODAY; day += 1)
    for (let piece = 0; piece < 3; piece += 1) await leave(rowsOf(day, 2), 90);
  await settle();
  const pieces = await stored();
  const months = new Set(Array.from({ length: days }, (_, at) => textOfDay(TODAY - at).slice(0, 7))).size;
  expect(pieces.length).toBeLessThanOrEqual(months + 31);
  expect(pieces.reduce((sum, { anzahl }) => sum + anzahl, 0)).toBe((days + 1) * 6);
  // What lies in a month that is over stays for good; of this month each day waits for its end.
  const [first] = pieces;
  expect([first?.tag_von.slice(0, 7), first?.faellig_am]).toEqual([first?.tag_bis.slice(0, 7), null]);
  await run();
  expect((await stored()).map(({ marke }) => marke)).toEqual(pieces.map(({ marke }) => marke));
  // A call that comes late to it is put to it when it has waited.
  await leave([row(TODAY - days)], 90);
  await run();
  expect((await stored()).length).toBe(pieces.length + 1);
  await settle();
  expect((await stored()).length).toBe(pieces.length);
}, 120_000);

test('a day with very many calls has pieces of a bounded number, and those that are full stay as they are', async () => {
  const many = rowsOf(TODAY - 1, 15_000);
  for (let piece = 0; piece < 9; piece += 1) await leave(many, 90);
  const before = await readCrossedSums(service.sql);
  await run();
  expect(await readCrossedSums(service.sql)).toEqual(before);
  await settle();
  const pieces = await stored();
  expect(pieces.reduce((sum, { anzahl }) => sum + anzahl, 0)).toBe(9 * 15_000);
  expect(pieces.length).toBeLessThanOrEqual(3);
  for (const { anzahl } of pieces) expect(anzahl).toBeLessThanOrEqual(MOST_ROWS);
  const full = pieces.filter(({ anzahl }) => anzahl >= MOST_ROWS / 2).map(({ marke }) => marke);
  expect(full.length).toBeGreaterThanOrEqual(1);
  await leave(rowsOf(TODAY - 1, 100), 90);
  await settle();
  expect((await stored()).map(({ marke }) => marke)).toEqual(expect.arrayContaining(full));
}, 120_000);

test('a running day has a bounded number of pieces, too', async () => {
  for (let round = 0; round < 40; round += 1) {
    await leave(rowsOf(TODAY, 3), 90);
    await run();
  }
  expect((await stored()).length).toBeLessThanOrEqual(17);
}, 120_000);

test('nobody who counts waits, and who is at a Mandant keeps the other job away', async () => {
  await leave([row(TODAY)], 90);
  const pause = pausingAt(owner, (sql) => sql.startsWith('DELETE FROM verbrauch_stuecke'));
  const first = run(pause.db);
  await pause.reached;
  await leave([row(TODAY)], 90);
  await run();
  expect((await stored()).map(({ roh }) => roh)).toEqual([true, true]);
  pause.release();
  await first;
  expect((await stored()).map(({ roh }) => roh).sort()).toEqual([false, true]);
});

test('a piece that was taken away meanwhile undoes what was made of it', async () => {
  await leave([row(TODAY)], 90);
  const pause = pausingAt(owner, (sql) => sql.startsWith('DELETE FROM verbrauch_stuecke'));
  const dying = run(pause.db).catch((error: AggregateError) => error.errors[0]);
  await pause.reached;
  await service.sql('UPDATE verbrauch_stuecke SET marke = $2 WHERE mandant_id = $1', [mandant, randomUUID()]);
  pause.release();
  expect(String(await dying)).toContain('somebody else');
  expect((await stored()).map(({ roh }) => roh)).toEqual([true]);
});
