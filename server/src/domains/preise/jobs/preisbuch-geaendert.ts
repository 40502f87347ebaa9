import Type from 'typebox';
import { defineJob } from '#jobs/index.ts';

/** A Mandant has another edition of its price book; `zaehlung` prices what of its calls had no price before. */
export const preisbuchGeaendert = defineJob({
  id: 'preise.preisbuch_geaendert',
  version: 1,
  payload: Type.Object({ fassung: Type.Integer() }),
});
