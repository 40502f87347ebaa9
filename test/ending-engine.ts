/** An engine whose process ends while it is asked. */
import { Engine } from '#domains/verbrauch/engine/engine.ts';
import { engineOf, giveEngine } from '#domains/verbrauch/engine/engine-of.ts';
import type { ServiceContext } from '#platform/context.ts';

/** Its process is killed with each question behind the first, until one was refused. */
export class EndingEngine extends Engine {
  asked = 0;
  refused = 0;

  override async ask(...asked: Parameters<Engine['ask']>): ReturnType<Engine['ask']> {
    this.asked += 1;
    const killing =
      this.asked > 1 && this.refused === 0
        ? setInterval(() => this.pid !== undefined && process.kill(this.pid, 'SIGKILL'), 1)
        : undefined;
    try {
      return await super.ask(...asked);
    } catch (error) {
      this.refused += 1;
      throw error;
    } finally {
      clearInterval(killing);
    }
  }
}

/** Has a service ask one of its own. */
export function giveEndingEngine({ config, log }: Pick<ServiceContext, 'config' | 'log'>): EndingEngine {
  const engine = new EndingEngine({ dataDir: config.dataDir, bytes: config.sumsBytes, log });
  giveEngine(config, engine);
  return engine;
}

/** Has a service ask one that has ended for good; resolves with what gives it back the one before. */
export async function giveEndedEngine(context: Pick<ServiceContext, 'config' | 'log'>): Promise<() => void> {
  const { config, log } = context;
  const before = engineOf(context);
  const ended = new Engine({ dataDir: config.dataDir, bytes: config.sumsBytes, log });
  await ended.stop();
  giveEngine(config, ended);
  return () => giveEngine(config, before);
}
