/** What a browser keeps of a login: the session, and the pass by which it is known at the next one. */
import type { Operation } from '#contracts';
import { type Call, createHostCookie, createSessionCookie } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { DEVICE_VALID_DAYS } from '../known-device.ts';
import { endSession, type SignedIn } from '../service/sitzungen.ts';

const DAY_SECONDS = 86_400;

type Exchange = Pick<Call<Operation>, 'request' | 'reply'>;

export interface Browser {
  /** The pass the browser sent, whether it is good or not. */
  deviceOf({ request }: Pick<Exchange, 'request'>): string | null;
  /** Gives the browser a pass; null leaves it the one it has. */
  keepDevice({ reply }: Pick<Exchange, 'reply'>, geraet: string | null): void;
  /** Gives the browser the session that has begun, and its pass. */
  keep(exchange: Exchange, signedIn: SignedIn): Promise<void>;
}

export function createBrowser(context: ServiceContext): Browser {
  const { production } = context.config;
  const session = createSessionCookie(production);
  const device = createHostCookie('zw_geraet', production, DEVICE_VALID_DAYS * DAY_SECONDS);
  const keepDevice: Browser['keepDevice'] = ({ reply }, geraet) => {
    if (geraet !== null) device.set(reply, geraet);
  };
  return {
    deviceOf: ({ request }) => device.read(request),
    keepDevice,
    async keep({ request, reply }, { token, geraet }) {
      // The token the browser came with, planted or not, ends here: a login always starts a session of its own.
      await endSession(context, session.read(request));
      session.set(reply, token);
      keepDevice({ reply }, geraet);
    },
  };
}
