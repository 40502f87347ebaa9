/** The engine of a service. */
import type { Config } from '#platform/config.ts';
import type { ServiceContext } from '#platform/context.ts';
import { Engine } from './engine.ts';

const ENGINES = new WeakMap<Config, Engine>();

/**
 * Has who has this configuration ask this engine instead of one of its own.
 * @public Services of tests share one.
 */
export const giveEngine = (config: Config, engine: Engine): void => {
  ENGINES.set(config, engine);
};

/** The one engine of this process, which all of its questions share. */
export function engineOf({ config, log }: Pick<ServiceContext, 'config' | 'log'>): Engine {
  const engine = ENGINES.get(config) ?? new Engine({ dataDir: config.dataDir, bytes: config.sumsBytes, log });
  ENGINES.set(config, engine);
  return engine;
}
