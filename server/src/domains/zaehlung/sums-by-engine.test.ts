/** What the engine answers of what was counted is what the events add up to by SQL, to the last digit. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { anyQuestion, countAll, filtersOf, valuesOf } from '#test/any-questions.ts';
import { batches } from '#test/arbitrary-events.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
import { startService, type TestService } from '#test/service.ts';
import {
  askAllPages,
  askEngine,
  type EngineQuestion,
  eventsAddedUp,
  startEngine,
  type TestEngine,
} from '#test/sums-by-engine.ts';

const ZONE = 'Europe/Berlin';
const NOW = '2027-01-05T12:00:00.000Z';

let service: TestService;
let db: OwnerDatabase;
let own: TestEngine;
/** Answers of pieces before it writes them. */
let late: TestEngine;

beforeAll(async () => {
  service = await startService();
  service.clock.set(NOW);
  const { log } = service.context;
  const options = { connection: service.connection, max: 4, statementTimeout: 60_000, name: 'test' };
  db = createOwnerDatabase(createPool(options, log));
  own = startEngine({ limits: { addedUpFrom: 1 } });
  late = startEngine({ limits: { addedUpFrom: 1, writtenLaterFrom: 1 } });
});
afterAll(async () => {
  await own?.stop();
  await late?.stop();
  await db?.close();
  await service?.stop();
});

test('any filters and groupings, page by page, are what the events add up to', {
  timeout: fuzzTime(),
}, async () => {
  const questions = fc.array(anyQuestion, { minLength: 20, maxLength: 30 });
  const property = fc.asyncProperty(batches, questions, async (sent, asked) => {
    const { mandantId: mandant } = await countAll(service, db, sent);
    const values = await valuesOf(service, mandant);
    for (const { filtered, limit, ...question } of asked) {
      const where = filtersOf(filtered, values);
      const whole = { ...question, where };
      const shown = JSON.stringify(whole);
      const expected = await eventsAddedUp(service, mandant, whole);
      const answer = await askEngine(service, own.engine, mandant, whole);
      expect(answer, shown).toEqual({ ...expected, rest: null, naechster: null });
      expect(await askEngine(service, late.engine, mandant, whole), shown).toEqual(answer);
      expect(await askAllPages(service, own.engine, mandant, { ...whole, limit }), shown).toEqual(
        expected.zeilen,
      );
    }
  });
  await fc.assert(property, { numRuns: fuzzRuns(3), endOnFailure: true });
});

test('a call with more tokens than a double holds is counted to the last one', async () => {
  const most = {
    eingabe_token: Number.MAX_SAFE_INTEGER,
    ausgabe_token: Number.MAX_SAFE_INTEGER,
    denk_token: 200_010,
  };
  const more = { zusatz: { ausgabe_umfasst_denken: false }, zeitpunkt: '2026-10-25T12:00:00Z', agent: 'a' };
  const { mandantId: mandant } = await countAll(service, db, [
    [{ anbieter: 'openai', modell: 'gpt-4o-mini', ...most, ...more }],
  ]);
  const von = Temporal.ZonedDateTime.from(`2026-10-25T00:00[${ZONE}]`);
  const question: EngineQuestion = { window: { von, bis: von.add({ days: 1 }) }, by: ['agent'] };
  const answer = await askEngine(service, own.engine, mandant, question);
  expect(answer.summe.ausgabe_gesamt).toBe('9007199254941001');
  expect(answer).toMatchObject(await eventsAddedUp(service, mandant, question));
});
