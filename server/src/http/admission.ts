/**
 * Keeps memory bounded when more comes in than can be stored: the bytes of all bodies being read or waiting for the
 * database are limited; beyond the limit a request is refused before its body is read.
 */
import { unavailable } from '#kernel/errors.ts';

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_REQUESTS = 2_000;

/** The room one request takes. */
export interface Room {
  /** Takes as much as the body needs unpacked, or gives back what it does not; throws 503 when there is not so much. */
  resizeTo(bytes: number): void;
  /** Gives the room back; once is enough. */
  release(): void;
}

export interface Admission {
  /** Reserves room for a body before it is read. Throws 503 with Retry-After when there is none. */
  admit(bytes: number): Room;
}

export function createAdmission(limits = { bytes: MAX_BYTES, requests: MAX_REQUESTS }): Admission {
  let bytesInFlight = 0;
  let requestsInFlight = 0;
  const take = (bytes: number) => {
    if (bytesInFlight + bytes > limits.bytes || requestsInFlight >= limits.requests) {
      throw unavailable('ueberlastet', 'Der Dienst ist gerade ausgelastet; bitte gleich noch einmal senden.');
    }
    bytesInFlight += bytes;
  };
  return {
    admit(bytes) {
      take(bytes);
      requestsInFlight += 1;
      let held: number | null = bytes;
      return {
        resizeTo(needed) {
          if (held === null) return;
          if (needed > held) take(needed - held);
          else bytesInFlight -= held - needed;
          held = needed;
        },
        release() {
          if (held === null) return;
          bytesInFlight -= held;
          requestsInFlight -= 1;
          held = null;
        },
      };
    },
  };
}
