/** Of days whose events are gone pieces are made of their sums: what these tell apart is answered to the last digit, all else is refused. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DIMENSION_NAMES, FIGURE_NAMES } from '#contracts';
import { STEP_DIGITS } from '#domains/verbrauch/index.ts';
import { InvalidInput } from '#kernel/errors.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import type { Window } from '#kernel/zeitraum.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { anyQuestion, countAll, filtersOf, valuesOf } from '#test/any-questions.ts';
import { batches } from '#test/arbitrary-events.ts';
import { writeFormerSums } from '#test/former-sums.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
import { putAllTogether, removeEvents } from '#test/gone-events.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { type CountedCall, figuresOf, readCalls } from '#test/sums-by-dimension.ts';
import {
  askAllPages,
  askEngine,
  type EngineQuestion,
  eventsAddedUp,
  startEngine,
  type TestEngine,
} from '#test/sums-by-engine.ts';

const ZONE = 'Europe/Berlin';

let service: TestService;
let owner: OwnerDatabase;
let own: TestEngine;
beforeAll(async () => {
  service = await startService();
  service.clock.set('2027-01-05T12:00:00.000Z');
  owner = ownerOf(service);
  own = startEngine({ limits: { addedUpFrom: 1 } });
});
afterAll(async () => {
  await own?.stop();
  await owner?.close();
  await service?.stop();
});

const noon = (tag: string) => Temporal.PlainDate.from(tag).toZonedDateTime(ZONE);

/** What a day is like once events before an instant are removed. */
interface GoneDay {
  von: Temporal.ZonedDateTime;
  bis: Temporal.ZonedDateTime;
  isListed: boolean;
}

/** Days with calls of the Mandant that begin before the instant. */
async function goneDays(mandant: string, before: string): Promise<GoneDay[]> {
  const days = await service.sql<{ tag: string; listed: boolean }>(
    'SELECT tag::text, gelistet IS NOT DISTINCT FROM geaendert AS listed FROM verbrauch_tagesstand WHERE mandant_id = $1',
    [mandant],
  );
  return days
    .map(({ tag, listed }) => ({ von: noon(tag), bis: noon(tag).add({ days: 1 }), isListed: listed }))
    .filter(({ von }) => Date.parse(before) > von.epochMilliseconds);
}

const isLess = (a: Temporal.ZonedDateTime, b: Temporal.ZonedDateTime) =>
  Temporal.ZonedDateTime.compare(a, b) < 0;

/** Whether sums of the days tell apart what is asked. */
function isToldApart({ window: { von, bis }, by, where = [] }: EngineQuestion, days: GoneDay[]): boolean {
  const touched = days.filter((day) => isLess(day.von, bis) && isLess(von, day.bis));
  const names = DIMENSION_NAMES.filter(
    (name) => by.includes(name) || where.some(({ dimension }) => dimension === name),
  );
  if (touched.length === 0) return true;
  if (names.length > 2 || by.includes('minute')) return false;
  if (names.length < 2) return true;
  const isWhole = (day: GoneDay) => !isLess(day.von, von) && !isLess(bis, day.bis);
  return !by.includes('stunde') && touched.every((day) => day.isListed && isWhole(day));
}

/** Steps of a histogram in one number, as the engine has them. */
function stepsIn(histogram: string | undefined): Map<number, bigint> {
  const base = 10n ** BigInt(STEP_DIGITS);
  const steps = new Map<number, bigint>();
  for (let rest = BigInt(histogram ?? 0), step = 1; rest > 0n; rest /= base, step += 1)
    if (rest % base > 0n) steps.set(step, rest % base);
  return steps;
}

async function expectHistograms(mandant: string, calls: CountedCall[]): Promise<void> {
  const { latenz, erste_zeichen } = figuresOf(calls);
  const window: Window = { von: noon('2025-12-01'), bis: noon('2027-02-01') };
  const [answer] = await service.context.db.forMandant(mandantId(mandant), (tx) =>
    own.engine.ask(tx, [
      {
        ...{ window, by: ['agent'], filters: [], order: 'cost', figures: FIGURE_NAMES, steps: true },
        ...{ limit: null, from: null },
      },
    ]),
  );
  expect(answer?.total.steps).toEqual({ latenz: stepsIn(latenz), erste_zeichen: stepsIn(erste_zeichen) });
  const added = (answer?.groups ?? []).flatMap(({ steps }) => [...(steps?.latenz.values() ?? [])]);
  expect(added.reduce((sum, calls_) => sum + calls_, 0n)).toBe(
    [...stepsIn(latenz).values()].reduce((sum, calls_) => sum + calls_, 0n),
  );
}

/** Months that begin within a local day with calls, all of the past, nothing. */
const anyInstant = fc.constantFrom(
  '2025-01-01T00:00:00Z',
  '2026-02-01T00:00:00Z',
  '2026-05-01T00:00:00Z',
  '2027-01-01T00:00:00Z',
  '2027-02-01T00:00:00Z',
);

test('what sums tell apart is what the events added up to, page by page; all else is refused', {
  timeout: fuzzTime(),
}, async () => {
  const questions = fc.array(anyQuestion, { minLength: 25, maxLength: 30 });
  const property = fc.asyncProperty(batches, questions, anyInstant, async (sent, asked, before) => {
    await service.sql('UPDATE aufbewahrung SET ereignisse_ab = NULL');
    const { mandantId: mandant } = await countAll(service, owner, sent);
    await writeFormerSums(service, mandant);
    const values = await valuesOf(service, mandant);
    const calls = (await readCalls(service.sql)).filter(({ row }) => row.mandant_id === mandant);
    const whole = asked.map(({ filtered, limit, ...question }) => ({
      question: { ...question, where: filtersOf(filtered, values) },
      limit,
    }));
    const expected = [];
    for (const { question } of whole) expected.push(await eventsAddedUp(service, mandant, question));
    const days = await goneDays(mandant, before);
    await removeEvents(service, owner, mandant, before);
    for (const round of ['made', 'put together']) {
      if (round === 'put together') await putAllTogether(service, owner);
      await expectHistograms(mandant, calls);
      for (const [index, { question, limit }] of whole.entries()) {
        const shown = `${round} ${before} ${JSON.stringify(question)}`;
        const asking = askEngine(service, own.engine, mandant, question);
        if (!isToldApart(question, days)) {
          await expect(asking, shown).rejects.toThrow(InvalidInput);
          continue;
        }
        expect(await asking, shown).toEqual({ ...expected[index], rest: null, naechster: null });
        expect(await askAllPages(service, own.engine, mandant, { ...question, limit }), shown).toEqual(
          expected[index]?.zeilen,
        );
      }
    }
  });
  await fc.assert(property, { numRuns: fuzzRuns(20), endOnFailure: true });
});
