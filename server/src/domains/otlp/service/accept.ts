/** Takes in what was told: reduced, without a word of a prompt, durable before it is answered. */
import { randomUUIDv7 } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { KeyedPrints } from '#client/prints/sim-hash.ts';
import { FUTURE_LIMIT } from '#domains/ereignisse/index.ts';
import { readOwnNames } from '#domains/mandant/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { KeyPrincipal } from '#platform/principal.ts';
import type { Quota } from '#platform/quota.ts';
import { kindOfCalls } from '../convert/link.ts';
import { type Sighting, sight } from '../convert/sighting.ts';
import { type CustomNames, saysSomebody, withDefaults } from '../convert/who.ts';
import { HOLD } from '../limits.ts';
import { type Delivery, findKnown, insertDeliveries } from '../store.ts';
import type { OtlpRecord } from '../wire/record.ts';

/** What became of a request. */
export interface Taken {
  /** Records that were refused: their time is none. */
  refused: number;
}

export interface Doors {
  /** Resolves once all is durable. Throws AppError: 429 beyond a quota, 503 where the database takes nothing. */
  take(sender: KeyPrincipal, records: readonly OtlpRecord[]): Promise<Taken>;
}

/** Keys of prints that are remembered: one for each Mandant that sends. */
const MOST_KEYS = 200;

/** Prints under the keys of the Mandanten. */
function createPrints({ secrets }: Pick<ServiceContext, 'secrets'>) {
  const known = new Map<string, KeyedPrints>();
  return (mandant: KeyPrincipal['mandant']): KeyedPrints => {
    const found = known.get(mandant);
    if (found) return found;
    if (known.size >= MOST_KEYS) known.clear();
    const keyed = new KeyedPrints(secrets.derive('fingerprints', mandant).toString('hex'));
    known.set(mandant, keyed);
    return keyed;
  };
}

/** Milliseconds for which the names of a Mandant are remembered: who changes them waits so long. */
const NAMES_KEPT = 10_000;

/** By which names the programs of the Mandanten name end customers, functions and projects. */
function createNames({ db, clock }: Pick<ServiceContext, 'db' | 'clock'>) {
  const known = new Map<string, { names: CustomNames; until: number }>();
  return async (mandant: KeyPrincipal['mandant']): Promise<CustomNames> => {
    const now = clock.now().getTime();
    const found = known.get(mandant);
    if (found && now < found.until) return found.names;
    const names = withDefaults(await db.forMandant(mandant, readOwnNames));
    if (known.size >= MOST_KEYS) known.clear();
    known.set(mandant, { names, until: now + NAMES_KEPT });
    return names;
  };
}

/** Milliseconds that reducing records takes the event loop at a time: what others ask is answered in between. */
const SLICE = 5;

async function reduce(
  records: readonly OtlpRecord[],
  names: CustomNames,
  keyed: KeyedPrints,
): Promise<Sighting[]> {
  const seen: Sighting[] = [];
  let began = performance.now();
  for (const record of records) {
    const sighting = sight(record, names, keyed);
    if (sighting) seen.push(sighting);
    if (performance.now() - began < SLICE) continue;
    await setImmediate();
    began = performance.now();
  }
  return seen;
}

/** Whether a call lies in a time that calls can lie in. */
function isDatable({ begin, call }: Sighting, now: Date, annahmeAb: string | null): boolean {
  if (call === null) return true;
  const milliseconds = begin / 1_000;
  const first = annahmeAb === null ? 1 : Date.parse(annahmeAb);
  return milliseconds >= first && milliseconds <= now.getTime() + FUTURE_LIMIT;
}

const bySpur = (sightings: readonly Sighting[]): Map<string, Sighting[]> =>
  Map.groupBy(sightings, ({ spur }) => spur);

function deliveryOf(spur: string, sichtungen: Sighting[]): Delivery {
  const calls = sichtungen.filter(({ call }) => call !== null);
  const ofOne = calls[0] ?? (sichtungen[0] as Sighting);
  return {
    spur,
    instanz: ofOne.instanz,
    art: kindOfCalls(calls),
    von: calls.length === 0 ? null : Math.min(...calls.map(({ begin }) => begin)),
    bis: calls.length === 0 ? null : Math.max(...calls.map(({ end }) => end)),
    sichtungen,
  };
}

const isForeign = ({ kind, who }: Sighting): boolean => kind === 'foreign' && !saysSomebody(who);

/** What of a request is about calls: the spans of others alone are of interest where they stand around them. */
function partsOf(sightings: readonly Sighting[]) {
  const traces = [...bySpur(sightings)];
  const about = traces.filter(([, told]) => !told.every(isForeign));
  const others = traces.filter(([, told]) => told.every(isForeign));
  return { about, others };
}

/** Makes what all doors of this slice go through. `onTaken`: told that something waits for a Mandant. */
export function createDoors(
  context: ServiceContext,
  quota: Pick<Quota, 'take'>,
  onTaken: (mandant: KeyPrincipal['mandant']) => void,
): Doors {
  const printsFor = createPrints(context);
  const namesFor = createNames(context);

  const store = async (sender: KeyPrincipal, sightings: Sighting[], now: Date): Promise<void> => {
    const { about, others } = partsOf(sightings);
    if (about.length === 0 && others.length === 0) return;
    await context.db.forMandant(sender.mandant, async (tx) => {
      const known = await findKnown(
        tx,
        others.map(([spur]) => spur),
      );
      const kept = [...about, ...others.filter(([spur]) => known.has(spur))];
      if (kept.length === 0) return;
      const by = { schluesselId: sender.schluesselId, projekt: sender.projekt };
      const due = new Date(now.getTime() + HOLD);
      const deliveries = kept.map(([spur, told]) => deliveryOf(spur, told));
      await insertDeliveries(tx, deliveries, { id: randomUUIDv7(), by, at: now, due });
    });
    onTaken(sender.mandant);
  };

  return {
    async take(sender, records) {
      const now = context.clock.now();
      const names = await namesFor(sender.mandant);
      const seen = await reduce(records, names, printsFor(sender.mandant));
      const sightings = seen.filter((each) => isDatable(each, now, sender.annahmeAb));
      const calls = sightings.filter(({ call }) => call !== null).length;
      const giveBack = calls > 0 ? quota.take(sender, calls) : () => undefined;
      try {
        await store(sender, sightings, now);
      } catch (error) {
        giveBack();
        throw error;
      }
      return { refused: seen.length - sightings.length };
    },
  };
}
