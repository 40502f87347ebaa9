/** What stands above the figures of all calls. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AnswerOf } from '../../api/operations.ts';
import { auffaelligesQuery, vorfaelleQuery } from '../../api/queries.ts';
import type { Vorfall } from '../../api/types.ts';

export interface Ordinary {
  /** Undefined where it did not come. */
  auffaelliges: AnswerOf<'cockpitAuffaelliges'> | undefined;
  /** The open incidents of the first page, the gravest first. */
  vorfaelle: Vorfall[];
  /** Whether more are open. */
  more: boolean;
  /** Whether both have come, or will not come. */
  settled: boolean;
}

/** What is out of the ordinary in a period, and the open incidents; nothing is asked for where it is not wanted. */
export function useOrdinary(zeitraum: string, enabled: boolean): Ordinary {
  const out = useQuery({ ...auffaelligesQuery(zeitraum), enabled });
  const incidents = useInfiniteQuery({ ...vorfaelleQuery('offen'), enabled });
  const [first] = incidents.data?.pages ?? [];
  return {
    auffaelliges: out.data,
    vorfaelle: first?.vorfaelle ?? [],
    more: first?.weiter != null,
    settled: !enabled || (!out.isPending && !incidents.isPending),
  };
}

/** So long figures wait for what stands above them. */
const patienceMs = 2_000;

/**
 * Whether figures that are there wait for what stands above them, come together with it, or came before it. Once they have been
 * seen without it, nothing is put above them any more.
 */
export function useTogether(key: string, figures: boolean, above: boolean): 'waiting' | 'together' | 'late' {
  const [lateFor, setLateFor] = useState<string | null>(null);
  useEffect(() => {
    if (!figures || above) return;
    const timer = setTimeout(() => setLateFor(key), patienceMs);
    return () => clearTimeout(timer);
  }, [key, figures, above]);
  if (lateFor === key) return 'late';
  return figures && !above ? 'waiting' : 'together';
}
