export { type Ask, askAsOwner, askInRequest } from './ask.ts';
export { SchemaTooOld } from './baseline.ts';
export type { Connections } from './connections.ts';
export { OWNER_ROLE, SYSTEM_ROLE } from './embedded/access.ts';
export { hasDataFiles } from './embedded/data-files.ts';
export { findEmbedded, startEmbedded } from './embedded/server.ts';
export { exactText } from './exact-text.ts';
export { createListener, type Listener } from './listener.ts';
export { migrate, requireDurability } from './migrate.ts';
export { openRequestLogin, requireOwnerRights } from './own-server.ts';
export { createClient, createPool, isDiskFull, isTooSlow, isUnreachable } from './pool.ts';
export {
  type BoundStatements,
  continueAsMandant,
  createRequestDatabase,
  type MandantTx,
  onBehalfOf,
  type RequestClient,
  type RequestDatabase,
  type Snapshot,
} from './request-database.ts';
export { type Most, requireRoomFor } from './room.ts';
export { createConnectionShares } from './sharing.ts';
