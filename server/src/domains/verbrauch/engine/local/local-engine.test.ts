/** The local copy gets rid of what nobody asks for, and never answers with it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FIGURE_NAMES } from '#contracts';
import { PieceRows } from '../../pieces/piece-rows.ts';
import type { SumsQuestion } from '../question.ts';
import { LocalEngine } from './local-engine.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zw-engine-'));
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

/** `later`: rows from which on they are written after they were asked for. */
const open = (bytes: number, later = 2 ** 31, addedUpFrom = 1) =>
  LocalEngine.open({ folder, bytes, memory: 2 ** 27, threads: 1, addedUpFrom, writtenLaterFrom: later });

const HOUR = 60;
/** Calls in the hour. */
function piece(marke: string, hour: number, calls: number) {
  const rows = new PieceRows();
  for (let call = 0; call < calls; call += 1) {
    rows.add();
    rows.set('stunde', hour * HOUR);
    rows.set('minute', hour * HOUR + (call % HOUR));
    rows.set('agent', 1 + (call % 5));
    rows.set('endkunde', 1 + (call % 3));
    if (call % 9 === 0) rows.set('fehler', 1);
    rows.set('aufrufe', 1);
    rows.set('aufgeteilt', 1);
    rows.set('eingabe_token', (call * 7_919) % 100_003);
    rows.setAmount('kosten_eur', BigInt((call * 104_729) % 1_000_003) * 10n ** 20n);
  }
  const numbers = { 1: 1, 2: 2, 3: 3, 4: 4, 5: 5 };
  return { marke, daten: rows.pack(['agent', 'endkunde'], numbers) };
}

const question: SumsQuestion = {
  von: 0,
  bis: 10 * HOUR,
  filters: [],
  by: ['agent'],
  order: 'cost',
  figures: FIGURE_NAMES,
  limit: null,
  from: null,
};

let id = 0;
const load = (engine: LocalEngine, mandant: string, ...pieces: ReturnType<typeof piece>[]) => {
  id += 1;
  return engine.take({ kind: 'load', id, mandant, pieces });
};
const ask = (engine: LocalEngine, mandant: string, marken: string[], asked = question) => {
  id += 1;
  return engine.take({ kind: 'ask', id, mandant, marken, questions: [asked] });
};
/** The calls of the answer; null where pieces are missing. */
const callsOf = async (...asked: Parameters<typeof ask>) => {
  const result = await ask(...asked);
  return result && 'answers' in result ? Number(result.answers[0]?.total.values[0]) : null;
};

/** Rows in the file, of each table. */
async function rowsInFile(): Promise<number[]> {
  const instance = await DuckDBInstance.create(join(folder, '0', 'summen.duckdb'));
  const connection = await instance.connect();
  const counts = [];
  for (const table of ['rufe', 'stuecke'])
    counts.push(Number((await (await connection.run(`SELECT count(*) FROM ${table}`)).getRows())[0]?.[0]));
  connection.closeSync();
  instance.closeSync();
  return counts;
}

test('pieces that questions about their hours do not name are not in the answer, and go in time', async () => {
  const engine = await open(2 ** 30);
  await load(engine, 'm', piece('a', 1, 100), piece('b', 2, 50));
  await load(engine, 'm', piece('other hours', 20, 10));
  expect(await callsOf(engine, 'm', ['a', 'b'])).toBe(150);
  await load(engine, 'm', piece('a and b', 1, 150));
  expect(await callsOf(engine, 'm', ['a and b'])).toBe(150);
  expect(await callsOf(engine, 'm', ['a', 'b'])).toBe(150);
  expect(await callsOf(engine, 'm', ['a and b'])).toBe(150);
  vi.setSystemTime(Date.now() + 16 * 60_000);
  for (let index = 0; index < 100; index += 1) await load(engine, 'n', piece(`n${index}`, 1, 1));
  expect(await ask(engine, 'm', ['a', 'b'])).toEqual({ missing: ['a', 'b'] });
  expect(await callsOf(engine, 'm', ['a and b'])).toBe(150);
  expect(await callsOf(engine, 'm', ['other hours'], { ...question, bis: 30 * HOUR })).toBe(10);
  await engine.close();
  expect(await rowsInFile()).toEqual([150 + 10 + 100, 2 + 100]);
});

test('what is written after the pieces of a question were looked up is not in its answer', async () => {
  const engine = await open(2 ** 30);
  await load(engine, 'm', piece('a', 1, 100), piece('b', 2, 50));
  const connect = DuckDBInstance.prototype.connect;
  const late = vi.spyOn(DuckDBInstance.prototype, 'connect').mockImplementationOnce(async function (
    this: DuckDBInstance,
  ) {
    await load(engine, 'm', piece('a and b', 1, 150));
    return connect.call(this);
  });
  expect(await callsOf(engine, 'm', ['a', 'b'])).toBe(150);
  expect(late).toHaveBeenCalledOnce();
  late.mockRestore();
  expect(await callsOf(engine, 'm', ['a and b'])).toBe(150);
  await engine.close();
});

test('a file that has grown beyond its bound loses what was asked for longest ago', async () => {
  const bytes = 3 * 2 ** 20;
  const engine = await open(bytes);
  const marken = Array.from({ length: 12 }, (_, index) => `p${index}`);
  for (const [index, marke] of marken.entries()) {
    await load(engine, `m${index}`, piece(marke, 1, 30_000));
    vi.setSystemTime(Date.now() + 60_000);
    // Asked for all the time.
    expect(await callsOf(engine, 'm0', ['p0'])).toBe(30_000);
  }
  const there = [];
  for (const [index, marke] of marken.entries())
    if ((await callsOf(engine, `m${index}`, [marke])) !== null) there.push(marke);
  expect(there).toContain('p0');
  expect(there).toContain('p11');
  expect(there).not.toContain('p1');
  await load(engine, 'm1', piece('p1', 1, 30_000));
  expect(await callsOf(engine, 'm1', ['p1'])).toBe(30_000);
  await engine.close();
});

test('days that are added up count towards the bound', async () => {
  const engine = await open(2 ** 20);
  for (let mandant = 0; mandant < 6; mandant += 1) {
    const rows = new PieceRows();
    for (let call = 1; call <= 10_000; call += 1) {
      rows.add();
      for (const name of ['agent', 'endkunde', 'benutzer', 'funktion'] as const)
        rows.set(name, 200_003 * call);
      rows.set('aufrufe', 1);
      rows.setAmount('kosten_eur', BigInt(call) * 7_919n ** 5n);
    }
    await load(engine, `m${mandant}`, { marke: `p${mandant}`, daten: rows.pack([], {}) });
    vi.setSystemTime(Date.now() + 60_000);
  }
  // Its rows alone would have room.
  expect(await ask(engine, 'm0', ['p0'])).toEqual({ missing: ['p0'] });
  await engine.close();
});

test('more groups than may be answered are refused', async () => {
  const engine = await open(2 ** 30);
  const rows = new PieceRows();
  for (let minute = 0; minute < 100_001; minute += 1) {
    rows.add();
    rows.set('minute', minute);
    rows.set('aufrufe', 1);
    if (minute > 0) rows.setAmount('kosten_eur', 10n ** 22n);
  }
  await load(engine, 'm', { marke: 'many', daten: rows.pack([], {}) });
  const byMinute = { ...question, by: ['minute'] } as const;
  const refused = await ask(engine, 'm', ['many'], byMinute).catch((error: unknown) =>
    engine.failureOf(error),
  );
  expect(refused).toEqual({ reason: 'memory', message: 'more than 100000 groups' });
  const first = await ask(engine, 'm', ['many'], { ...byMinute, order: 'time', limit: 2 });
  expect(first).toMatchObject({
    answers: [{ count: 100_001, groups: [{ keys: [0] }, { keys: [1] }, { keys: [2] }] }],
  });
  await engine.close();
});

test('a piece that is none is refused, and leaves nothing behind', async () => {
  const engine = await open(2 ** 30);
  const whole = piece('broken', 1, 5_000);
  const broken = { ...whole, daten: Buffer.from(whole.daten).subarray(0, 900) };
  await expect(load(engine, 'm', piece('whole', 1, 3_000), broken)).rejects.toThrow();
  expect(await ask(engine, 'm', ['whole'])).toEqual({ missing: ['whole'] });
  await load(engine, 'm', piece('whole', 1, 3_000));
  expect(await callsOf(engine, 'm', ['whole'])).toBe(3_000);
  await engine.close();
  expect(await rowsInFile()).toEqual([3_000, 1]);
});

const PATIENCE = { timeout: 30_000 };

/** Answers to questions of any form, groups in order. */
async function answersOf(engine: LocalEngine, marken: string[]) {
  const [agent, endkunde] = [
    { dimension: 'agent', merkmale: [1, 4] },
    { dimension: 'endkunde', merkmale: [2, 3, 5] },
  ] as const;
  const questions: SumsQuestion[] = [
    { ...question, by: [] },
    question,
    { ...question, by: ['tag', 'endkunde'], filters: [endkunde] },
    { ...question, by: ['stunde'], order: 'time', filters: [agent, endkunde] },
    { ...question, by: ['minute', 'agent'], limit: 40 },
    { ...question, von: HOUR, bis: 2 * HOUR, by: ['agent', 'endkunde'], figures: ['fehler'] },
  ];
  id += 1;
  const result = await engine.take({ kind: 'ask', id, mandant: 'm', marken, questions });
  if (!(result && 'answers' in result)) throw new Error('pieces are missing');
  return result.answers.map(({ groups, ...answer }) => ({
    ...answer,
    groups: groups.toSorted((a, b) => (String(a.keys) < String(b.keys) ? -1 : 1)),
  }));
}

test('pieces are answered of before they are written as after it, beside others and alone', async () => {
  const pieces = [piece('few', 1, 40), piece('a', 1, 5_000), piece('b', 2, 3_000), piece('c', 3, 100)];
  const marken = ['few', 'a', 'b', 'c'];
  const writing = await open(2 ** 30);
  await load(writing, 'm', ...pieces);
  const expected = await answersOf(writing, marken);
  const withoutA = await answersOf(writing, ['few', 'b', 'c']);
  await writing.close();
  expect(expected.map(({ total }) => total.values[0])).not.toContain(0n);
  rmSync(join(folder, '0'), { recursive: true });
  const engine = await open(2 ** 30, 50);
  const run = vi.spyOn(DuckDBConnection.prototype, 'run');
  const written = () => run.mock.calls.filter(([text]) => text.startsWith('INSERT INTO rufe')).length;
  for (const each of pieces) await load(engine, 'm', each);
  expect(written()).toBe(1);
  expect(await answersOf(engine, marken)).toEqual(expected);
  expect(await answersOf(engine, ['few', 'b', 'c'])).toEqual(withoutA);
  expect(await ask(engine, 'n', ['a'])).toEqual({ missing: ['a'] });
  await vi.waitFor(() => expect(written()).toBe(2), PATIENCE);
  run.mockRestore();
  expect(await answersOf(engine, marken)).toEqual(expected);
  expect(await answersOf(engine, ['few', 'b', 'c'])).toEqual(withoutA);
  await load(engine, 'm', piece('d', 4, 60));
  await engine.close();
  expect(await rowsInFile()).toEqual([8_200, 5]);
});

test('what cannot be written later is handed over again; a file that is at fault then ends the next order', async () => {
  const engine = await open(2 ** 30, 1);
  const run = DuckDBConnection.prototype.run;
  const failWith = (message: string) =>
    vi.spyOn(DuckDBConnection.prototype, 'run').mockImplementation(function (this: DuckDBConnection, text) {
      return text.startsWith('INSERT') ? Promise.reject(new Error(message)) : run.call(this, text);
    });
  const isFull = failWith('Out of Memory Error: no room');
  await load(engine, 'm', piece('a', 1, 100));
  expect(await callsOf(engine, 'm', ['a'])).toBe(100);
  await vi.waitFor(async () => expect(await ask(engine, 'm', ['a'])).toEqual({ missing: ['a'] }), PATIENCE);
  isFull.mockRestore();
  await load(engine, 'm', piece('a', 1, 100));
  expect(await callsOf(engine, 'm', ['a'])).toBe(100);
  const isTorn = failWith('IO Error: no space left on device');
  const error = await vi.waitFor(
    () => ask(engine, 'm', ['a']).then(() => Promise.reject(new Error('not yet')), String),
    PATIENCE,
  );
  expect(engine.failureOf(new Error(error))).toBeNull();
  isTorn.mockRestore();
  await engine.close();
});

test('pieces whose days are added up and others between them are answered as by rows alone', async () => {
  for (const count of [7, 60]) {
    // Each other one is small, and all of the last quarter.
    const calls = (index: number) => (index % 2 === 0 || index > count * 0.75 ? 1 : 3);
    const pieces = Array.from({ length: count }, (_, index) =>
      piece(`p${index}`, 1 + (index % 5), calls(index)),
    );
    const marken = pieces.map(({ marke }) => marke);
    const answers = [];
    for (const addedUpFrom of [2 ** 31, 2]) {
      const engine = await open(2 ** 30, 2 ** 31, addedUpFrom);
      await load(engine, 'm', ...pieces);
      answers.push(await answersOf(engine, marken));
      await engine.close();
      rmSync(join(folder, '0'), { recursive: true });
    }
    expect(answers[1]).toEqual(answers[0]);
  }
});
