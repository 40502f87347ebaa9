/** `npm run tables`: writes `tables.ts` anew, after a migration was added. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../log.ts';
import { startEmbedded } from '../embedded/server.ts';
import { migrate } from '../migrate.ts';
import { createClient } from '../pool.ts';
import { describeTables } from './describe.ts';

const log = createLog('error');
const directory = mkdtempSync(join(tmpdir(), 'zw-tables-'));
const embedded = await startEmbedded(directory, log);
try {
  await migrate(embedded.connection, log);
  const client = createClient(embedded.connection);
  await client.connect();
  const tables = await describeTables(client).finally(() => client.end());
  writeFileSync(join(import.meta.dirname, 'tables.ts'), tables);
} finally {
  await embedded.stop();
  rmSync(directory, { recursive: true, force: true });
}
