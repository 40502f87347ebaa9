/** Takes in what was told: reduced, without a word of a prompt, durable before it is answered. */
import { randomUUIDv7 } from 'node:crypto';
import { readOwnNames } from '#domains/mandant/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { KeyPrincipal } from '#platform/principal.ts';
import type { Quota } from '#platform/quota.ts';
import type { ReducedRecords } from '../convert/reduce.ts';
import type { CustomNames } from '../convert/who.ts';
import { HOLD, SOON } from '../limits.ts';
import { insertTold } from '../store.ts';

/** What became of a request. */
export interface Taken {
  /** Records that were refused: their time is none. */
  refused: number;
}

/** What readers need to know of who sends; plain values. */
export interface ToldBy {
  /** Of the fingerprints, in hexadecimal. */
  key: string;
  names: CustomNames;
  annahmeAb: string | null;
}

export interface Doors {
  by(sender: KeyPrincipal): Promise<ToldBy>;
  /** Resolves once all is durable. Throws AppError: 429 beyond a quota, 503 where the database takes nothing. */
  take(sender: KeyPrincipal, told: ReducedRecords): Promise<Taken>;
}

/** Mandanten whose names are remembered. */
const MOST_NAMES = 200;

/** Milliseconds for which the names of a Mandant are remembered: who changes them waits so long. */
const NAMES_KEPT = 10_000;

/** By which names the programs of the Mandanten name end customers, functions and projects. */
function createNames({ db, clock }: Pick<ServiceContext, 'db' | 'clock'>) {
  const known = new Map<string, { names: CustomNames; until: number }>();
  return async (mandant: KeyPrincipal['mandant']): Promise<CustomNames> => {
    const now = clock.now().getTime();
    const found = known.get(mandant);
    if (found && now < found.until) return found.names;
    const names = await db.forMandant(mandant, readOwnNames);
    if (known.size >= MOST_NAMES) known.clear();
    known.set(mandant, { names, until: now + NAMES_KEPT });
    return names;
  };
}

const after = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds);

/** Makes what all doors of this slice go through. `onTaken`: told in how many milliseconds something of a Mandant is due. */
export function createDoors(
  context: ServiceContext,
  quota: Pick<Quota, 'take'>,
  onTaken: (mandant: KeyPrincipal['mandant'], delay: number) => void,
): Doors {
  const { db, clock, secrets } = context;
  const namesOf = createNames(context);

  const store = async (
    { mandant, schluesselId, projekt }: KeyPrincipal,
    told: ReducedRecords,
  ): Promise<void> => {
    const at = clock.now();
    const by = { schluesselId, projekt };
    const delivery = { id: randomUUIDv7(), by, at, soon: after(at, SOON), later: after(at, HOLD) };
    await db.forMandant(mandant, (tx) => insertTold(tx, told, delivery));
    if (told.someWhole) onTaken(mandant, SOON);
    if (told.someWait) onTaken(mandant, HOLD);
  };

  return {
    async by({ mandant, annahmeAb }) {
      const key = secrets.derive('fingerprints', mandant).toString('hex');
      return { key, names: await namesOf(mandant), annahmeAb };
    },
    async take(sender, told) {
      const { calls, refused, someWhole, someWait } = told;
      const giveBack = calls > 0 ? quota.take(sender, calls) : () => undefined;
      try {
        if (someWhole || someWait) await store(sender, told);
      } catch (error) {
        giveBack();
        throw error;
      }
      return { refused };
    },
  };
}
