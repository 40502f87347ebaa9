import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog } from '#platform/log.ts';
import { cloneDatabase, type TestDatabase } from '#test/database.ts';
import { createExchangeRates, loadExchangeRates } from './exchange-rates.ts';

const ROWS = [
  { tag: '2026-03-27', usd_eur: '0.9' },
  { tag: '2026-03-30', usd_eur: '0.8612971144' },
];

test.each([
  ['before the first rate the substitute', '2026-03-26', '0.86', 8_600_000_000n],
  ['the rate of the day', '2026-03-27', '0.9', 9_000_000_000n],
  ['on a weekend the one before', '2026-03-29', '0.9', 9_000_000_000n],
  ['the next one from its day on', '2026-03-30', '0.8612971144', 8_612_971_144n],
  ['after the last one still the last', '2027-01-01', '0.8612971144', 8_612_971_144n],
])('%s', (_name, day, text, scaled) => {
  const rates = createExchangeRates(ROWS, { usdEur: '0.86', tag: '2026-01-02' });
  const ersatz = text === '0.86';
  const rate = { text, scaled, ersatz, ersatzTag: ersatz ? '2026-01-02' : null };
  expect(rates.at(day)).toEqual(rate);
  expect(rates.at(day)).toEqual(rate);
});

let database: TestDatabase;
let db: OwnerDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  const options = { connection: database.connection, max: 2, statementTimeout: 10_000, name: 'test' };
  db = createOwnerDatabase(createPool(options, createLog('fatal')));
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

test('are read from the table in whatever order and scale they stand there', async () => {
  expect((await loadExchangeRates(db, { usdEur: '1.1', tag: null })).at('2026-01-01').text).toBe('1.1');
  await db.query(
    `INSERT INTO wechselkurse (tag, usd_eur, quelle) VALUES
       ('2026-03-30', 0.861297114412345, 'ezb'), ('2026-03-27', 0.900000, 'ezb')`,
  );
  const rates = await loadExchangeRates(db, { usdEur: '1.1', tag: null });
  expect(['2026-03-26', '2026-03-28', '2026-04-01'].map((day) => rates.at(day).text)).toEqual([
    '1.1',
    '0.9',
    '0.8612971144',
  ]);
});
