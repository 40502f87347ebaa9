/** What programs have told of a Mandant is handed on to be counted, as if its time had come (tests only). */
import { setTimeout as delay } from 'node:timers/promises';
import { handOnAll } from '#domains/otlp/service/hand-on.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import type { TestService } from './service.ts';

/** Hands on all that is due at an instant; waits where the service itself is at it. */
export async function handOnTold(
  { context }: Pick<TestService, 'context'>,
  mandant: string,
  at: Date,
): Promise<void> {
  while ((await handOnAll(context.db, mandantId(mandant), at)) === null) await delay(20);
}
