/** A stage with a database of its own, outside of the tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, startEmbedded } from '#platform/database/index.ts';
import { createLog } from '#platform/log.ts';
import { startService } from '#test/service.ts';
import { createStage, type Stage } from './stage.ts';

/** For streams of a number of days. */
export async function withStage<T>(days: number, work: (stage: Stage) => Promise<T>): Promise<T> {
  const log = createLog('error');
  const directory = mkdtempSync(join(tmpdir(), 'zw-protection-'));
  const embedded = await startEmbedded(directory, log);
  try {
    await migrate(embedded.connection, log);
    const { connection, requests } = embedded;
    const service = await startService({}, log, { connection, requests, drop: async () => undefined });
    const stage = createStage(service, days);
    try {
      return await work(stage);
    } finally {
      await stage.stop();
      await service.stop();
    }
  } finally {
    await embedded.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
