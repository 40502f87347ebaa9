/**
 * What a job is. Each may be run again: after a failure, and after a crash between its work and the note that it is done.
 * A kind of job is declared once (`defineJob`), so that a transaction can put one in without knowing who does it; the
 * counting side binds the work to it (`handle`). What the clock causes is one declaration (`onSchedule`).
 */
import type { Static, TSchema } from 'typebox';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import { createPayloadReader, type OlderPayload, type PayloadReader } from './payload.ts';

/** When a failed job is tried again. */
export interface Retry {
  /** Seconds before the second attempt; each further pause is twice as long. */
  first: number;
  /** No pause is longer, in seconds. */
  longest: number;
  /** After this many attempts it is given up: a dead letter. */
  attempts: number;
}

export interface Schedule {
  /** Cron expression in Europe/Berlin. */
  cron: string;
  /** Also once when the service starts. */
  atStart: boolean;
}

/** An attempt at a job, as it was claimed. */
export interface Claim {
  mandant_id: string;
  auftrag_id: string;
  fassung: number;
  nutzlast: unknown;
  /** This one included. */
  versuche: number;
  /** Why the attempt before failed. */
  fehler: string | null;
}

/** What was done, for the log. */
export type Done = Record<string, unknown>;

/** A job with its work, as `main` composes them. */
export interface Job {
  /** Stable dotted name: log, metrics, dead letters. */
  id: string;
  /** Newest version of the payload that is understood. */
  version: number;
  retry: Retry;
  /** How many run at a time in one process. */
  concurrency: number;
  schedule: Schedule | null;
  run(claim: Claim): Promise<Done>;
  /** Told before it becomes a dead letter, at least once. Where this fails, it is not one yet: it is claimed, and given up, again. */
  onGivenUp?(claim: Claim): Promise<void>;
}

/** A job of a Mandant, to be put in by `enqueue`. */
export interface JobKind<P> extends Pick<Job, 'id' | 'version' | 'retry' | 'concurrency'> {
  payload: PayloadReader<P>;
}

/** One run: whose, with what, and how often it was tried before. */
export interface Call<P> {
  mandant: MandantId;
  payload: P;
  /** 1 for the first. */
  attempt: number;
  previousError: string | null;
}

/** Four attempts within seven minutes. */
const RETRY: Retry = { first: 60, longest: 3_600, attempts: 4 };

/** Declares a kind of job; the payload holds ids, not contents: it is neither sealed nor exported. */
export function defineJob<S extends TSchema>(declaration: {
  id: string;
  /** Of the payload; one more whenever its schema changes. */
  version: number;
  payload: S;
  /** How payloads of earlier versions are read that still wait at an upgrade; one nobody reads becomes a dead letter. */
  older?: Record<number, OlderPayload<Static<S>>>;
  retry?: Retry;
  concurrency?: number;
}): JobKind<Static<S>> {
  const { id, version, payload, older = {}, retry = RETRY, concurrency = 1 } = declaration;
  return { id, version, retry, concurrency, payload: createPayloadReader(version, payload, older) };
}

/**
 * Binds the work to a kind of job, and what is to be done where it is given up: rows that wait for it must not wait for ever. A job
 * whose payload cannot be read has nothing to say which.
 */
export function handle<P>(
  kind: JobKind<P>,
  run: (call: Call<P>) => Promise<Done>,
  givenUp?: (call: Pick<Call<P>, 'mandant' | 'payload'>) => Promise<void>,
): Job {
  const { id, version, retry, concurrency, payload } = kind;
  const onGivenUp = async (claim: Claim) => {
    let read: P;
    try {
      read = payload.read(claim.fassung, claim.nutzlast);
    } catch {
      return;
    }
    await givenUp?.({ mandant: mandantId(claim.mandant_id), payload: read });
  };
  return {
    onGivenUp,
    id,
    version,
    retry,
    concurrency,
    schedule: null,
    run: async (claim) =>
      run({
        mandant: mandantId(claim.mandant_id),
        payload: payload.read(claim.fassung, claim.nutzlast),
        attempt: claim.versuche,
        previousError: claim.fehler,
      }),
  };
}

/** A job that the clock causes, for the whole installation: one run at a time, whichever instance takes it. */
export function onSchedule(
  declaration: Schedule & { id: string; run(): Promise<Done> },
): Job & { run(): Promise<Done> } {
  const { id, cron, atStart, run } = declaration;
  return { id, version: 1, retry: RETRY, concurrency: 1, schedule: { cron, atStart }, run };
}
