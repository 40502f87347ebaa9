/**
 * Keeps memory bounded when more comes in than can be stored: the bytes of all bodies being read or waiting for the
 * database are limited; beyond the limit a request is refused before its body is read.
 */
import { unavailable } from '#kernel/errors.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_REQUESTS = 2_000;

export interface Admission {
  /** Reserves room for a body; returns the release. Throws 503 with Retry-After when there is none. */
  admit(bytes: number): () => void;
}

export function createAdmission(limits = { bytes: MAX_BYTES, requests: MAX_REQUESTS }): Admission {
  let bytesInFlight = 0;
  let requestsInFlight = 0;
  return {
    admit(bytes) {
      if (bytesInFlight + bytes > limits.bytes || requestsInFlight >= limits.requests) {
        throw unavailable(
          'ueberlastet',
          'Der Dienst ist gerade ausgelastet; bitte gleich noch einmal senden.',
        );
      }
      bytesInFlight += bytes;
      requestsInFlight += 1;
      let released = false;
      return () => {
        if (released) return;
        released = true;
        bytesInFlight -= bytes;
        requestsInFlight -= 1;
      };
    },
  };
}
