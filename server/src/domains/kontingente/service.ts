/** Holds senders to what they and their Mandant may send in a minute. */
import type { Scope } from '#contracts';
import type { ServiceContext } from '#platform/context.ts';
import type { Counted, Limits, Quota } from '#platform/quota.ts';
import { keyExhausted, mandantExhausted } from './errors.ts';
import { createLevels, type Levels } from './levels.ts';
import { secondsOf, timeOf, waitFor } from './rules.ts';
import type { Art } from './store.ts';

const ART: Record<Scope, Art> = { Senden: 'senden', Lesen: 'lesen' };

type What = keyof Limits;
/** Something of which a sender has so much a minute, and what is said when it is used up. */
interface Limited {
  konto: string;
  perMinute: number;
  refuse: typeof keyExhausted;
}

/** What limits the sender in this; the key first, whose holder can do more about it. */
function limitsOf({ kontingente, schluesselId, mandant }: Counted, what: What): Limited[] {
  if (!kontingente) return [];
  const limited: Limited[] = [];
  const ofKey = kontingente.schluessel[what];
  const ofMandant = kontingente.mandant[what];
  if (ofKey !== null) limited.push({ konto: schluesselId, perMinute: ofKey, refuse: keyExhausted });
  if (ofMandant !== null) limited.push({ konto: mandant, perMinute: ofMandant, refuse: mandantExhausted });
  return limited;
}

/** Throws 429 when one of them has no room for one more. */
function requireRoom(levels: Levels, limited: Limited[], what: What, art: Art): void {
  for (const { konto, perMinute, refuse } of limited) {
    const wait = waitFor(levels.rest(konto, art), perMinute);
    if (wait > 0) throw refuse(what, perMinute, secondsOf(wait));
  }
}

const use = (levels: Levels, limited: Limited[], art: Art, amount: number): void => {
  for (const { konto, perMinute } of limited) levels.use(konto, art, timeOf(amount, perMinute));
};

const NOTHING = () => undefined;

export interface SenderQuota extends Pick<Quota, 'take'> {
  admit(sender: Counted, scope: Scope): void;
  exchange(): Promise<void>;
  /** Tells the other processes the last of it. */
  stop(): Promise<void>;
}

/** The quotas of all senders of this process. */
export function createQuota(context: Pick<ServiceContext, 'db' | 'log'>): SenderQuota {
  const levels = createLevels(context);
  return {
    admit(sender, scope) {
      if (sender.kontingente === null) return;
      const requests = limitsOf(sender, 'anfragen');
      requireRoom(levels, requests, 'anfragen', ART[scope]);
      if (scope === 'Senden') requireRoom(levels, limitsOf(sender, 'ereignisse'), 'ereignisse', 'ereignisse');
      use(levels, requests, ART[scope], 1);
    },
    take(sender, events) {
      if (sender.kontingente === null || events === 0) return NOTHING;
      const limited = limitsOf(sender, 'ereignisse');
      requireRoom(levels, limited, 'ereignisse', 'ereignisse');
      use(levels, limited, 'ereignisse', events);
      return () => use(levels, limited, 'ereignisse', -events);
    },
    exchange: () => levels.exchange(),
    stop: () => levels.stop(),
  };
}
