import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import type { InputOf } from '../../api/operations.ts';
import type { Rueckblick } from '../../api/types.ts';

/** A rule that is there, or one as it would be. */
export type Asked = { regel_id: string } | { body: InputOf<'regelAnlegen'>['body'] };

export const BACKTEST_DAYS = 30;
/** How long nothing is changed before it is asked, and between two looks at how far it is, in milliseconds. */
const PAUSE = 600;
const LOOK = 1_000;

/** What was last given and has stood for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

const ask = (asked: Asked): Promise<Rueckblick> =>
  'regel_id' in asked
    ? call('regelRueckblick', { params: asked, body: { tage: BACKTEST_DAYS } })
    : call('entwurfRueckblick', { body: { ...asked.body, tage: BACKTEST_DAYS } });

const isOpen = ({ status }: Rueckblick) => status === 'wartet' || status === 'laeuft';

const wait = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, LOOK);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Asks, and looks until it is done; what nobody waits for any more is ended, so that it is in nobody's way. */
async function follow(asked: Asked, signal: AbortSignal, onProgress: (part: number) => void) {
  let now = await ask(asked);
  const params = { rueckblick_id: now.rueckblick_id };
  while (isOpen(now)) {
    onProgress(now.tage_fertig / now.tage);
    await wait(signal);
    if (signal.aborted) {
      await call('rueckblickEntfernen', { params }).catch(() => undefined);
      throw signal.reason;
    }
    now = await call('rueckblick', { params });
  }
  return now;
}

/** What a rule would have done in the last days, asked anew when it has been changed; `part` is how far that is, 0 to 1. */
export function useBacktest(asked: Asked) {
  const key = useSettled(JSON.stringify(asked));
  const [part, setPart] = useState(0);
  const query = useQuery({
    queryKey: ['rueckblick', key],
    queryFn: ({ signal }) => {
      setPart(0);
      return follow(JSON.parse(key) as Asked, signal, setPart);
    },
    retry: false,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
  return { ...query, part };
}
