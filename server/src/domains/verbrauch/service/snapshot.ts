/** One moment of a Mandant's sums, and what every answer says about it. */
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import {
  consumptionByEngine,
  consumptionsByEngine,
  type EngineConsumption,
  type EngineQuestion,
} from '../engine/consumption-by-engine.ts';
import type { Engine } from '../engine/engine.ts';
import { engineOf } from '../engine/engine-of.ts';
import { readOneSnapshot, readStand, type Stand } from '../store/stand.ts';

export type Context = Pick<ServiceContext, 'db' | 'clock' | 'config' | 'log'>;

export interface Snapshot {
  tx: MandantTx;
  engine: Engine;
  now: Temporal.Instant;
  zone: string;
  stand: Stand;
  /** Everything received up to this instant is in sums read from here on; ISO 8601 in UTC. */
  gezaehltBis: string;
  ask(question: EngineQuestion): Promise<EngineConsumption>;
  /** Several at once, which takes little longer than one. */
  askAll(questions: readonly EngineQuestion[]): Promise<EngineConsumption[]>;
}

/** Runs `work` on one snapshot of the Mandant's sums, with what an answer says about them. */
export function withSnapshot<T>(
  context: Context,
  mandant: MandantId,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  // Taken before the transaction: what arrives while it runs is not promised.
  const received = context.clock.now();
  const engine = engineOf(context);
  const now = Temporal.Instant.fromEpochMilliseconds(received.getTime());
  return context.db.forMandant(mandant, async (tx) => {
    const [, stand] = await Promise.all([readOneSnapshot(tx), readStand(tx)]);
    const gezaehltBis = stand.before_waiting ?? received.toISOString();
    return work({
      ...{ tx, engine, now, stand, gezaehltBis },
      zone: stand.zeitzone,
      ask: (question) => consumptionByEngine(engine, tx, question),
      askAll: (questions) => consumptionsByEngine(engine, tx, questions),
    });
  });
}
