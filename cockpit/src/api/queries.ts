/** What the screens read, with how long it stays fresh and how often it is asked for again. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import type { Callable, InputOf } from './operations.ts';

/** Figures of a running period grow: asked for again at this interval while the page is in sight. */
const liveMs = 10_000;

const query = <N extends Callable>(name: N, input: InputOf<N>) =>
  queryOptions({ queryKey: [name, input], queryFn: ({ signal }) => call(name, input, { signal }) });

/** Who is signed in. Rarely changes, so it is not asked for on every page. */
export const ichQuery = queryOptions({ ...query('ich', {}), staleTime: 5 * 60_000 });

export const erststartQuery = query('erststart', {});

export const anbindungQuery = query('cockpitAnbindung', {});

export const uebersichtQuery = (zeitraum: string) =>
  queryOptions({
    ...query('cockpitUebersicht', { query: { zeitraum } }),
    placeholderData: keepPreviousData,
    refetchInterval: liveMs,
  });

export const agentenQuery = (zeitraum: string) =>
  queryOptions({
    ...query('cockpitAgenten', { query: { zeitraum } }),
    placeholderData: keepPreviousData,
    staleTime: liveMs,
  });

export const agentQuery = (agent_id: string, zeitraum: string) =>
  queryOptions({
    ...query('cockpitAgent', { params: { agent_id }, query: { zeitraum } }),
    placeholderData: keepPreviousData,
    refetchInterval: liveMs,
  });

export type LaeufeFilter = NonNullable<InputOf<'cockpitLaeufe'>['query']>;

export const laeufeQuery = (filter: LaeufeFilter) =>
  queryOptions({
    ...query('cockpitLaeufe', { query: filter }),
    placeholderData: keepPreviousData,
    refetchInterval: liveMs,
  });

export const laufQuery = (lauf_id: string) => query('cockpitLauf', { params: { lauf_id } });
