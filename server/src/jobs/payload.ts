/** Payloads have a version: at an upgrade some wait that the version before has written. */
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { GiveUp } from './failure.ts';

/** How a payload of an earlier version becomes one of today's. */
export interface OlderPayload<P> {
  read(raw: unknown): P | null;
}

export interface PayloadReader<P> {
  /** The payload as it is stored; throws a `TypeError` for one that is not of the schema. */
  write(payload: P): string;
  /** Throws `GiveUp` for one that cannot be read. */
  read(version: number, raw: unknown): P;
}

/**
 * A payload of an earlier version: its schema, and what becomes of it.
 * @public No payload has had another version yet.
 */
export function olderPayload<S extends TSchema, P>(
  schema: S,
  toCurrent: (payload: Static<S>) => P,
): OlderPayload<P> {
  const check = Compile(schema);
  return { read: (raw) => (check.Check(raw) ? toCurrent(raw as Static<S>) : null) };
}

export function createPayloadReader<S extends TSchema>(
  version: number,
  schema: S,
  older: Record<number, OlderPayload<Static<S>>>,
): PayloadReader<Static<S>> {
  const check = Compile(schema);
  const current: OlderPayload<Static<S>> = { read: (raw) => raw as Static<S> };
  return {
    write(payload) {
      if (!check.Check(payload)) throw new TypeError(`not a payload of version ${version}`);
      return JSON.stringify(payload);
    },
    read(of, raw) {
      const reader = of === version ? current : older[of];
      if (!reader) throw new GiveUp(`payloads of version ${of} are not read any more; this is ${version}`);
      const payload = reader.read(raw);
      if (!check.Check(payload)) throw new GiveUp(`the payload is not one of version ${of}`);
      return payload as Static<S>;
    },
  };
}
