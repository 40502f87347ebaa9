import Type from 'typebox';
import { defineJob } from '#jobs/index.ts';

/** Another edition of the price list holds; `zaehlung` prices what had no price before. */
export const listeGewechselt = defineJob({
  id: 'preise.liste_gewechselt',
  version: 1,
  payload: Type.Object({ nummer: Type.Integer() }),
});
