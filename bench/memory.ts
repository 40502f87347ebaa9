/** The most memory that the service takes while something is measured. */
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchService } from './service.ts';

/** Milliseconds between two looks: to look at all pages of a process costs some milliseconds. */
const EVERY = 1_000;

/** In MiB, each the most there was: of the main process what is resident (RSS); of the service without PostgreSQL, its engine among it, the share of all pages (PSS). */
export interface MostMemory {
  rss: number;
  pss: number;
  /** Of these PSS, the engine's. */
  engine: number;
}

/** Looks at the memory of the service until `stop`. */
export function watchMemory(service: BenchService): { stop(): Promise<MostMemory> } {
  const most: MostMemory = { rss: 0, pss: 0, engine: 0 };
  const look = () => {
    const { service: main, engine } = service.pss();
    most.rss = Math.max(most.rss, service.rss());
    if (main + engine > most.pss) Object.assign(most, { pss: main + engine, engine });
  };
  const stopped = new AbortController();
  const watched = (async () => {
    for (; !stopped.signal.aborted; look())
      await delay(EVERY, undefined, { signal: stopped.signal }).catch(() => undefined);
  })();
  return {
    async stop() {
      stopped.abort();
      await watched;
      return most;
    },
  };
}
