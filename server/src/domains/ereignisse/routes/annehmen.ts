import { type BodyOf, ereignisseAnnehmen, MAX_BATCH_BYTES } from '#contracts';
import { type BodyReader, type Route, route } from '#http/index.ts';
import { InvalidInput } from '#kernel/errors.ts';
import { SentBatch, type SentContent } from '../content.ts';
import type { Acceptance } from '../service.ts';
import { createReader } from './annehmen-body.ts';

const keyReused = () =>
  new InvalidInput({
    path: ['idempotency-key'],
    reason: {
      de: 'der Schlüssel wurde schon mit einem anderen Inhalt verwendet',
      en: 'the key was used with another content before',
    },
  });

/** What the handler gets of a body, wherever it was read. */
const taken = (content: unknown): SentBatch => new SentBatch(content as SentContent);

function readHere(): BodyReader<SentBatch, BodyOf<typeof ereignisseAnnehmen>> {
  const readContent = createReader();
  return (...body) => {
    const read = readContent(...body);
    return read.ok ? { ...read, value: taken(read.value) } : read;
  };
}

/** POST /v1/ereignisse: 202 once the batch is durable in the inbox. */
export const annehmenRoute = (acceptance: Acceptance): Route =>
  route(
    ereignisseAnnehmen,
    async ({ principal, body, header, reply }) => {
      const outcome = await acceptance.acceptEvents(principal, body, header['idempotency-key'] ?? null);
      if (outcome.kind === 'key_reused') throw keyReused();
      if (outcome.replayed) reply.header('idempotency-replayed', 'true');
      return outcome.answer;
    },
    { bodyLimit: MAX_BATCH_BYTES, readers: { 'application/json': readHere() }, fromAside: taken },
  );
