import Type from 'typebox';
import { uuid } from '#contracts';
import { defineJob } from '#jobs/index.ts';

/** A user has lost the address; if that was the last one who could sign in, nobody is left (`kuendigung` does the rest). */
export const kontoVerwaist = defineJob({
  id: 'zugang.konto_verwaist',
  version: 1,
  payload: Type.Object({ benutzer_id: uuid() }),
});
