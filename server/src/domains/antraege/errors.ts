/** Refusals around requests. */
import { conflict, InvalidInput, notFound } from '#kernel/errors.ts';
import type { Sentence } from '#kernel/sentence.ts';

export const antragMissing = () => notFound({ de: 'Diesen Antrag', en: 'This request' });

export const decidedAlready = () =>
  conflict('antrag_entschieden', {
    de: 'Über diesen Antrag ist schon entschieden.',
    en: 'This request has been decided already.',
  });

const refused = (name: string, reason: Sentence, input: unknown = null) =>
  new InvalidInput({ path: [name], reason, input });

export const oneThing = () =>
  refused('eingriff_id', {
    de: 'genau eines von eingriff_id, regel_id und budget ist anzugeben',
    en: 'exactly one of eingriff_id, regel_id and budget must be given',
  });

export const amountMissing = () =>
  refused('betrag_eur', {
    de: 'die gewünschte Grenze in EUR ist anzugeben',
    en: 'the limit that is asked for must be given, in EUR',
  });

export const notInForce = (id: string) =>
  refused(
    'eingriff_id',
    { de: 'dieser Eingriff ist nicht in Kraft', en: 'this intervention is not in force' },
    id,
  );

export const noLimit = (id: string) =>
  refused('regel_id', { de: 'diese Regel hat keine Grenze in EUR', en: 'this rule has no limit in EUR' }, id);

export const noBudget = (objekt: string) =>
  refused('budget', { de: 'ein solches Budget gibt es nicht', en: 'there is no such budget' }, objekt);

export const notHigher = (input: string) =>
  refused('betrag_eur', { de: 'die Grenze liegt schon so hoch', en: 'the limit is as high already' }, input);
