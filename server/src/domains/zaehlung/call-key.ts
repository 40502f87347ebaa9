/** The API key that a call came by. */
import { uuidBytes } from '#kernel/hex.ts';

export interface CallKey {
  id: string;
  /** The same, as it goes over the wire. */
  bytes: Uint8Array;
}

export const callKey = (id: string): CallKey => ({ id, bytes: uuidBytes(id) });
