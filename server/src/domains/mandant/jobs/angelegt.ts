import Type from 'typebox';
import { defineJob } from '#jobs/index.ts';

/** A Mandant was founded; `regeln` puts in the rules it begins with. */
export const mandantAngelegt = defineJob({ id: 'mandant.angelegt', version: 1, payload: Type.Object({}) });
