import { expect, test } from 'vitest';
import { listeGewechselt } from './liste-gewechselt.ts';

/** When it is put in stands in `owner/editions.test.ts`, what it causes in `zaehlung/jobs/nachpreisen.test.ts`. */
test('names the edition that holds now', () => {
  const { payload, version } = listeGewechselt;
  const written = payload.write({ nummer: 7 });
  expect(payload.read(version, JSON.parse(written))).toEqual({ nummer: 7 });
  expect(() => payload.write({ nummer: 'sieben' } as never)).toThrow(TypeError);
});
