/** An export under way. */
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callRaw } from '../../api/call.ts';
import { useFormat } from '../../format/use-format.ts';
import { toast } from '../../ui/toast.tsx';
import { BrokenOff, receiveArchive } from './receive.ts';
import { chooseTarget } from './target.ts';

/** How often the page learns what has come. */
const REPORT_MS = 250;

export interface Received {
  bytes: number;
  /** How many counted events are in the archive. */
  events: number;
}

const fileNameOf = (response: Response, fallback: string) =>
  /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? fallback;

/** Hands on a number, but not more often than the page needs to know. */
function rarely(report: (value: number) => void): (value: number) => void {
  let next = 0;
  return (value) => {
    const now = performance.now();
    if (now < next) return;
    next = now + REPORT_MS;
    report(value);
  };
}

interface Run {
  days: number;
  suggestedName: string;
  signal: AbortSignal;
  onReceived: (received: Received) => void;
}

/** Resolves with what was saved, or with null when the user chose no file. */
async function runExport({ days, suggestedName, signal, onReceived }: Run): Promise<Received | null> {
  const target = await chooseTarget(suggestedName);
  if (target === null) return null;
  onReceived({ bytes: 0, events: 0 });
  const response = await callRaw('exportZip', { query: { tage: days } }, { signal });
  if (!response.body) throw new BrokenOff('no body');
  const events = Number(response.headers.get('x-zaehlwerk-ereignisse') ?? 0);
  const sink = await target(fileNameOf(response, suggestedName));
  const report = rarely((bytes) => onReceived({ bytes, events }));
  return { bytes: await receiveArchive(response.body, sink, report), events };
}

/** Exports everything and tells what has come so far; leaving the page ends it. */
export function useExport() {
  const { t } = useTranslation();
  const format = useFormat();
  const [received, setReceived] = useState<Received | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const mutation = useMutation({
    mutationFn: async (days: number) => {
      const controller = new AbortController();
      running.current = controller;
      const { signal } = controller;
      const suggestedName = `zaehlwerk-export-${format.dayOf(new Date())}.zip`;
      try {
        return await runExport({ days, suggestedName, signal, onReceived: setReceived });
      } catch (error) {
        if (!signal.aborted) throw error;
        // What the user has ended has not failed.
        toast(t('export.cancelled'));
        return null;
      }
    },
    onSettled: () => setReceived(null),
  });
  return {
    received,
    saved: mutation.data ?? null,
    error: mutation.error,
    start: mutation.mutate,
    cancel: () => running.current?.abort(),
  };
}
