import { Type, uuid } from '#contracts';
import { defineJob } from '#jobs/index.ts';

/** A run of which it is to be read anew which of its calls are repeats (done by the slice `detektoren`, which knows the rules). */
export const wiederholungen = defineJob({
  id: 'detektoren.wiederholungen',
  version: 1,
  payload: Type.Object({ lauf_id: uuid() }),
});
