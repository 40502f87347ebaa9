import { zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog } from '#platform/log.ts';
import { cloneDatabase, type TestDatabase } from '#test/database.ts';
import { editionWith } from '#test/price-lists.ts';
import { PATIENCE } from '#test/service.ts';
import { PACKAGED } from '../list/price-data.ts';
import { goBack, takeEdition, takePackaged } from './editions.ts';
import { followPriceList, type LivingPriceList } from './follow-list.ts';

let database: TestDatabase;
let db: OwnerDatabase;
let lines: string[];
let followers: LivingPriceList[];
const log = createLog('info', { write: (line) => void lines.push(line) });

beforeAll(async () => {
  database = await cloneDatabase();
  const options = {
    connection: database.connection,
    max: 4,
    statementTimeout: 20_000,
    name: 'test',
  };
  db = createOwnerDatabase(createPool(options, createLog('fatal')));
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});
beforeEach(async () => {
  lines = [];
  followers = [];
  await db.query('TRUNCATE preislisten');
});
afterEach(async () => {
  for (const each of followers) await each.stop();
});

const NOW = new Date('2026-11-20T12:00:00Z');
const follow = (every = 5_000) => {
  const list = followPriceList({ db, log, every });
  followers.push(list);
  return list;
};
const take = async (id: string, input_mtok: number, stand = '2026-11-20', name: string | null = null) =>
  takeEdition(
    db,
    {
      ...{ bytes: await editionWith(id, input_mtok), herkunft: 'netz', stand },
      bestaetigt_am: `${stand}T00:00:00Z`,
    },
    NOW,
    name,
  );
const sourceIn = ({ prices }: LivingPriceList, modell: string) =>
  prices.model('openai', modell)(NOW.getTime())?.source ?? null;

test('without editions, and with older ones, prices are those of the package', async () => {
  const list = follow();
  await list.start();
  expect(sourceIn(list, 'gpt-5')).toBe(`${PACKAGED.name} openai/gpt-5`);
  await take('uralt-1', 3, '2026-01-01');
  await list.prices.refresh?.();
  expect(sourceIn(list, 'gpt-5')).toBe(`${PACKAGED.name} openai/gpt-5`);
  await takePackaged(db, NOW);
  await list.prices.refresh?.();
  expect(sourceIn(list, 'gpt-5')).toBe(`${PACKAGED.name} openai/gpt-5`);
});

test('what holds at the start holds from the first question on', async () => {
  await takePackaged(db, NOW);
  await take('nagelneu-1', 3);
  const list = follow();
  await list.start();
  expect(sourceIn(list, 'nagelneu-1')).toBe('genai-prices 2026-11-20.2 openai/nagelneu-1');
  expect(sourceIn(list, 'gpt-5')).toBe('genai-prices 2026-11-20.2 openai/gpt-5');
});

test('two that run take up what changes by themselves, and the way back', async () => {
  await takePackaged(db, NOW);
  const two = [follow(50), follow(50)];
  await Promise.all(two.map((each) => each.start()));
  expect(two.map((each) => sourceIn(each, 'nagelneu-1'))).toEqual([null, null]);
  await take('nagelneu-1', 3);
  const both = 'genai-prices 2026-11-20.2 openai/nagelneu-1';
  await vi.waitFor(
    () => expect(two.map((each) => sourceIn(each, 'nagelneu-1'))).toEqual([both, both]),
    PATIENCE,
  );
  await goBack(db);
  await vi.waitFor(
    () => expect(two.map((each) => sourceIn(each, 'nagelneu-1'))).toEqual([null, null]),
    PATIENCE,
  );
  expect(sourceIn(two[0] as LivingPriceList, 'gpt-5')).toBe(`${PACKAGED.name} openai/gpt-5`);
  expect(lines.filter((line) => line.includes('price list in force'))).toHaveLength(6);
});

test('one that this version does not understand leaves the one before, and the log says so', async () => {
  await takePackaged(db, NOW);
  await take('nagelneu-1', 3);
  const list = follow();
  await list.start();
  await take('nagelneu-2', 3, '2026-11-21');
  await db.query('UPDATE preislisten SET daten = $1 WHERE nummer = 3', [zstdCompressSync('{"neue":"form"}')]);
  await list.prices.refresh?.();
  await list.prices.refresh?.();
  expect(sourceIn(list, 'nagelneu-1')).toBe('genai-prices 2026-11-20.2 openai/nagelneu-1');
  expect(lines.filter((line) => line.includes('not understood'))).toHaveLength(1);
});

test('a database that is away for a moment leaves what is known', async () => {
  await takePackaged(db, NOW);
  await take('nagelneu-1', 3);
  let isAway = false;
  const shaky: OwnerDatabase = {
    ...db,
    query: (text, values) => (isAway ? Promise.reject(new Error('away')) : db.query(text, values)),
  };
  const list = followPriceList({ db: shaky, log });
  followers.push(list);
  await list.start();
  isAway = true;
  await expect(list.prices.refresh?.()).rejects.toThrow('away');
  expect(sourceIn(list, 'nagelneu-1')).not.toBeNull();
  isAway = false;
  await goBack(db);
  await list.prices.refresh?.();
  expect(sourceIn(list, 'nagelneu-1')).toBeNull();
});
