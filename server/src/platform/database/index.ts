export { type EmbeddedDatabase, startEmbedded } from './embedded.ts';
export { migrate, requireDurability } from './migrate.ts';
export { createPool, isUnreachable } from './pool.ts';
export {
  type BoundStatements,
  createRequestDatabase,
  type MandantTx,
  REQUEST_ROLE,
  type RequestClient,
  type RequestDatabase,
} from './request-database.ts';
