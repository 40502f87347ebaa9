import { Type, uuid } from '#contracts';
import { defineJob } from '#jobs/index.ts';

/** A run with a loop: which of its calls are repeats is to be read anew. */
export const wiederholungen = defineJob({
  id: 'detektoren.wiederholungen',
  version: 1,
  payload: Type.Object({ lauf_id: uuid() }),
});
