/** Days whose events retention has removed before pieces were ever made of them, and what is answered of them. */
import { expect } from 'vitest';
import { DIMENSION_NAMES } from '#contracts';
import type { Engine } from '#domains/verbrauch/engine/engine.ts';
import { stueckeZusammenlegenJob } from '#domains/verbrauch/jobs/stuecke-zusammenlegen.ts';
import { stueckeNachholenJob } from '#domains/zaehlung/jobs/stuecke-nachholen.ts';
import type { Window } from '#kernel/zeitraum.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { valuesOf } from './any-questions.ts';
import type { TestService } from './service.ts';
import { askEngine, type EngineConsumption } from './sums-by-engine.ts';

const jobs = ({ context }: TestService, owner: OwnerDatabase) => ({ owner, log: context.log });

/** Removes those before an instant, as if no piece had been made by then; and has the pieces made. */
export async function removeEvents(
  service: TestService,
  owner: OwnerDatabase,
  mandant: string,
  before: string,
): Promise<void> {
  await service.sql('UPDATE aufbewahrung SET ereignisse_ab = $1', [before]);
  await service.sql('DELETE FROM ereignisse WHERE mandant_id = $1 AND zeitpunkt < $2', [mandant, before]);
  await service.sql('UPDATE zaehlstaende SET stuecke_bis = -1 WHERE mandant_id = $1 AND marken > 0', [
    mandant,
  ]);
  await stueckeNachholenJob(jobs(service, owner)).run();
  expect(await service.sql('SELECT FROM zaehlstaende WHERE stuecke_bis <> marken')).toEqual([]);
}

/** Puts together what waits, of which a run takes a part: first what was made, then what became of it. */
export async function putAllTogether(service: TestService, owner: OwnerDatabase): Promise<void> {
  for (const due of ['roh', 'roh', 'NOT roh', 'NOT roh']) {
    await service.sql(
      `UPDATE verbrauch_stuecke SET faellig_am = now() - interval '1 day' WHERE faellig_am IS NOT NULL AND ${due}`,
    );
    await stueckeZusammenlegenJob(jobs(service, owner)).run();
  }
  expect(await service.sql('SELECT FROM verbrauch_stuecke WHERE roh')).toEqual([]);
}

/** Every dimension, day and hour, by every filter, with what is left and the next page. */
export async function answersByOne(
  service: TestService,
  engine: Engine,
  mandant: string,
  window: Window,
): Promise<[string, EngineConsumption][]> {
  const values = await valuesOf(service, mandant);
  const filters = DIMENSION_NAMES.map((dimension, index) => ({
    dimension,
    values: [values.get(index + 1)?.[0] ?? ''],
  }));
  const asked = ([...DIMENSION_NAMES, 'tag', 'stunde'] as const).flatMap((by) =>
    [null, ...filters].flatMap((where) => [null, 2].map((limit) => ({ by, where, limit }))),
  );
  const answers: [string, EngineConsumption][] = [];
  for (const { by, where, limit } of asked) {
    // Of pairs days alone are kept.
    if (by === 'stunde' && where) continue;
    const question = { window, by: [by], limit, where: where ? [where] : [] };
    answers.push([`${by} ${where?.dimension} ${limit}`, await askEngine(service, engine, mandant, question)]);
  }
  return answers;
}
