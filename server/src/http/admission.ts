/**
 * Keeps memory bounded when more comes in than can be stored: the bytes of all bodies being read or waiting for the
 * database are limited, and beyond the limit a request is refused. Room is taken for bytes that have arrived, not for
 * those announced, so that half-sent bodies hold up nobody by what they leave out.
 *
 * What was sent may still be held for as long as a slow sender likes. So a Mandant may hold at most twice what is free:
 * alone two thirds of everything, and whatever it does, another one finds room for the largest batch. One that comes
 * later gets two thirds of what the earlier ones leave, so nobody has to be asked to give room back.
 */
import { unavailable } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { MEMORY } from '#platform/memory.ts';

const MAX_REQUESTS = 3_000;
const MOST_OF_FREE = 2;

/** Who holds room: a Mandant, or null for all callers of public operations together. */
type Holder = MandantId | null;

interface Usage {
  bytes: number;
  requests: number;
}

/** The room one request takes. */
export interface Room {
  /** Says whose it is, as soon as that is known; throws 503 when the holder has too many requests under way. */
  assignTo(holder: Holder): void;
  /** Takes as much as the body needs, or gives back what it does not; throws 503 when there is not so much. */
  resizeTo(bytes: number): void;
  /** Gives the room back; once is enough. */
  release(): void;
}

export interface Admission {
  /** Admits a request before anything else is done for it. Throws 503 with Retry-After when there are too many. */
  admit(): Room;
}

const overloaded = () =>
  unavailable('ueberlastet', {
    de: 'Der Dienst ist gerade ausgelastet; bitte gleich noch einmal senden.',
    en: 'The service is busy right now; please send again in a moment.',
  });

export function createAdmission(limits: Usage = { bytes: MEMORY.bodies, requests: MAX_REQUESTS }): Admission {
  const total: Usage = { bytes: 0, requests: 0 };
  const holders = new Map<Holder, Usage>();

  function createRoom(): Room {
    let holder: Holder = null;
    let held: Usage | null = null;
    let bytes = 0;
    let isOpen = true;
    return {
      assignTo(whom) {
        if (!isOpen || held) return;
        const usage = holders.get(whom) ?? { bytes: 0, requests: 0 };
        if (usage.requests + 1 > MOST_OF_FREE * (limits.requests - total.requests)) throw overloaded();
        usage.requests += 1;
        holders.set(whom, usage);
        holder = whom;
        held = usage;
      },
      resizeTo(needed) {
        if (!held) return;
        const more = needed - bytes;
        if (more > 0 && held.bytes + more > MOST_OF_FREE * (limits.bytes - total.bytes - more))
          throw overloaded();
        held.bytes += more;
        total.bytes += more;
        bytes = needed;
      },
      release() {
        if (!isOpen) return;
        isOpen = false;
        total.requests -= 1;
        total.bytes -= bytes;
        if (!held) return;
        held.requests -= 1;
        held.bytes -= bytes;
        if (held.requests === 0) holders.delete(holder);
        held = null;
      },
    };
  }

  return {
    admit() {
      if (total.requests >= limits.requests) throw overloaded();
      total.requests += 1;
      return createRoom();
    },
  };
}
