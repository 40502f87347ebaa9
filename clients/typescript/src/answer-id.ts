/** The id of an event by the answer it tells of: one derivation for every way on which a call comes (docs/fingerprints.md). */
import type { Answer } from './answer.ts';
import { at, first, text } from './json.ts';
import { stableId } from './stable-id.ts';

/** Ids with fewer letters and digits do not name one call for good: those of local servers begin anew with every start. */
const ENOUGH = 20;

export const namesACall = (id: string): boolean => (id.match(/[A-Za-z0-9]/g) ?? []).length >= ENOUGH;

/** Under which names the providers put the id of an answer, in the answer or its first event. */
const PLACES: readonly (readonly string[])[] = [
  ['message', 'id'],
  ['response', 'id'],
  ['responseId'],
  ['generation_id'],
  ['id'],
];

/** Where the answer is the item of something that has an id of its own, that is not the answer's. */
const idIn = (part: unknown): string | null =>
  PLACES.map((place) => text(at(part, ...place))).find((id) => id !== null && namesACall(id)) ?? null;

/** The id by which the provider names an answer; null where it does not. */
export function answerId({ exchange, parts }: Pick<Answer, 'exchange' | 'parts'>): string | null {
  const requestId = exchange.requestId ?? exchange.headers?.['x-amzn-requestid'];
  return requestId !== undefined && namesACall(requestId) ? requestId : first(parts, idIn);
}

/** `ereignis_id` of the event at a position (0 for the answer itself, further ones for models called on the way). */
export const idOfAnswer = (id: string, position: number): string =>
  stableId('answer', id, ...(position === 0 ? [] : [String(position)]));
