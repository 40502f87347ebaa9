/** Which answers a client may keep, and ask about instead of for. */
import type { Operation } from './operation.ts';

/**
 * Whether answers of the operation may be kept by who asked, to be confirmed before each use (ETag, 304). Figures may be:
 * what consumption and runs show. Whatever tells of people, keys and settings, or shows a secret once, is kept by nobody.
 */
export const mayBeKept = ({
  method,
  access,
  confirmed = false,
  keptByAll,
}: Pick<Operation, 'method' | 'access' | 'confirmed' | 'keptByAll'>): boolean =>
  method === 'GET' &&
  (confirmed ||
    keptByAll !== undefined ||
    (access.kind === 'key' && access.scope === 'Lesen') ||
    (access.kind === 'session' && access.right === 'verbrauch.lesen'));
