/** One engine for the services of a worker: to start one each takes longer than all that they ask. Marks of pieces are unique everywhere. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '#domains/verbrauch/engine/engine.ts';
import { giveEngine } from '#domains/verbrauch/engine/engine-of.ts';
import type { ServiceContext } from '#platform/context.ts';

/** It ends with the worker: no service stops what others ask, too. */
class SharedEngine extends Engine {
  override stop(): Promise<void> {
    return Promise.resolve();
  }
}

let shared: SharedEngine | null = null;

/** Has a service ask it. */
export function shareEngine({ config, log }: Pick<ServiceContext, 'config' | 'log'>): void {
  shared ??= new SharedEngine({
    dataDir: mkdtempSync(join(tmpdir(), 'zw-summen-')),
    bytes: config.sumsBytes,
    log,
  });
  giveEngine(config, shared);
}
