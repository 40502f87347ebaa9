import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog } from '#platform/log.ts';
import { cloneDatabase, type TestDatabase } from '#test/database.ts';
import { editionOf, editionWith } from '#test/price-lists.ts';
import { inForceOf } from '../list/in-force.ts';
import { LOCKED, PACKAGED } from '../list/price-data.ts';
import {
  goBack,
  loadEdition,
  type Offer,
  pinEdition,
  readEditions,
  takeEdition,
  takePackaged,
  unpinEdition,
} from './editions.ts';

let database: TestDatabase;
let db: OwnerDatabase;
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
  await db.query('TRUNCATE preislisten');
  await db.query('DELETE FROM auftraege');
  await takePackaged(db, day('2026-11-01'));
});

const day = (text: string) => new Date(`${text}T05:12:00Z`);
const fetched = async (bytes: Buffer | Promise<Buffer>, stand: string) => {
  const offer: Offer = {
    ...{ bytes: await bytes, herkunft: 'netz', stand },
    bestaetigt_am: day(stand).toISOString(),
  };
  return takeEdition(db, offer, day(stand));
};
const inForce = async () => inForceOf(await readEditions(db))?.nummer;
const changes = async () =>
  (
    await db.query<{ nummer: number }>(
      `SELECT (nutzlast->>'nummer')::int AS nummer FROM auftraege WHERE job = 'preise.liste_gewechselt' ORDER BY auftrag_id`,
    )
  ).rows.map(({ nummer }) => nummer);

describe('the editions', () => {
  test('begin with the installed list, once', async () => {
    await takePackaged(db, day('2026-11-02'));
    expect(await readEditions(db)).toEqual([
      expect.objectContaining({
        ...{ nummer: 1, name: PACKAGED.name, stand: LOCKED.published, herkunft: 'paket' },
        ...{ angeheftet: false, abgelehnt: null },
      }),
    ]);
    expect(await changes()).toEqual([1]);
  });

  test('take a newer one, which holds, and the same one no second time', async () => {
    const list = editionWith('nagelneu-1', 3);
    const taken = await fetched(list, '2026-11-20');
    expect(taken).toMatchObject({ neu: true, edition: { nummer: 2, name: 'genai-prices 2026-11-20.2' } });
    expect(await inForce()).toBe(2);
    const again = await fetched(list, '2026-11-25');
    expect(again).toMatchObject({ neu: false, edition: { nummer: 2, stand: '2026-11-20' } });
    // Seen again it is as new as then.
    expect(again.edition.bestaetigt_am).toMatch(/^2026-11-25T05:12:00/);
    expect(await readEditions(db)).toHaveLength(2);
    expect(await changes()).toEqual([1, 2]);
    const loaded = await loadEdition(db, 2);
    expect(loaded?.find('openai', 'nagelneu-1', day('2026-11-20'))?.prices.input_mtok).toBe(3);
  });

  test('are taken once by two processes at the same time', async () => {
    const list = await editionWith('nagelneu-1', 3);
    const both = await Promise.all([1, 2, 3].map(() => fetched(list, '2026-11-20')));
    expect(both.filter(({ neu }) => neu)).toHaveLength(1);
    expect(await readEditions(db)).toHaveLength(2);
    expect(await changes()).toEqual([1, 2]);
  });

  test('go back to an earlier one where its source did', async () => {
    const [a, b] = [await editionWith('nagelneu-1', 3), await editionWith('nagelneu-1', 4)];
    await fetched(a, '2026-11-20');
    await fetched(b, '2026-11-21');
    await fetched(a, '2026-11-22');
    expect(await inForce()).toBe(2);
    expect(await changes()).toEqual([1, 2, 3, 2]);
  });

  test('that can hardly be right are kept, but do not hold until somebody says so', async () => {
    const half = editionOf((providers) => {
      for (const each of providers) each.models.splice(0, Math.ceil(each.models.length / 2));
    });
    const taken = await fetched(half, '2026-11-20');
    expect(taken.edition.abgelehnt).toMatch(/^es fehlen \d\d % der Modelle$/);
    expect(await inForce()).toBe(1);
    await fetched(half, '2026-11-21');
    expect(await inForce()).toBe(1);
    expect(await changes()).toEqual([1]);
    expect(await pinEdition(db, 2)).toBe(true);
    await unpinEdition(db);
    expect(await inForce()).toBe(2);
    // The next one is held against the one that was accepted.
    const next = await fetched(
      editionOf((providers) => {
        for (const each of providers) each.models.splice(0, Math.ceil(each.models.length / 2) - 1);
      }),
      '2026-11-22',
    );
    expect(next.edition.abgelehnt).toBeNull();
  });

  test('of a day before that of the installed one do not hold', async () => {
    await fetched(editionWith('uralt-1', 3), '2026-01-01');
    expect(await inForce()).toBe(1);
    expect(await changes()).toEqual([1]);
  });
});

describe('one that is pinned', () => {
  beforeEach(async () => {
    await fetched(editionWith('nagelneu-1', 3), '2026-11-20');
    await fetched(editionWith('nagelneu-2', 3), '2026-11-21');
  });

  test('holds, whatever comes, until it is let go', async () => {
    expect(await pinEdition(db, 2)).toBe(true);
    await fetched(editionWith('nagelneu-3', 3), '2026-11-22');
    expect(await inForce()).toBe(2);
    expect((await unpinEdition(db))?.nummer).toBe(4);
    expect(await inForce()).toBe(4);
    expect(await unpinEdition(db)).toBeNull();
    expect(await changes()).toEqual([1, 2, 3, 2, 4]);
  });

  test('takes the place of another, and must be there', async () => {
    await pinEdition(db, 2);
    await pinEdition(db, 1);
    expect(await inForce()).toBe(1);
    expect(await pinEdition(db, 99)).toBe(false);
    expect(await inForce()).toBe(1);
  });

  test('is the one before, step by step, when somebody goes back', async () => {
    const steps: (number | undefined)[] = [];
    for (let step = 0; step < 3; step += 1) steps.push((await goBack(db))?.nummer);
    expect(steps).toEqual([2, 1, undefined]);
    expect(await inForce()).toBe(1);
    await fetched(editionWith('nagelneu-3', 3), '2026-11-22');
    expect(await inForce()).toBe(1);
  });
});

test('no more are kept than the last twenty, the one that holds and the pinned one', async () => {
  await fetched(editionWith('nagelneu-0', 3), '2026-10-01');
  await pinEdition(db, 2);
  for (let n = 1; n <= 22; n += 1)
    await fetched(editionWith(`nagelneu-${n}`, 3), `2026-11-${String(n).padStart(2, '0')}`);
  const kept = (await readEditions(db)).map(({ nummer }) => nummer);
  expect(kept).toEqual([2, ...Array.from({ length: 20 }, (_, n) => n + 5)]);
  expect(await inForce()).toBe(2);
});
