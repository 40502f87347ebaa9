/** What the screens read, with how long it stays fresh and how often it is asked for again. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, callRaw } from './call.ts';
import type { Callable, InputOf } from './operations.ts';

/** Figures of a running period grow: asked for again at this interval while the page is in sight. */
const liveMs = 10_000;

const query = <N extends Callable>(name: N, input: InputOf<N>) =>
  queryOptions({ queryKey: [name, input], queryFn: ({ signal }) => call(name, input, { signal }) });

/** Who is signed in. Rarely changes, so it is not asked for on every page. */
export const ichQuery = queryOptions({ ...query('ich', {}), staleTime: 5 * 60_000 });

export const sitzungenQuery = query('sitzungen', {});

/** What a link from a mail invites to. It does not change while the page is open. */
export const einladungQuery = (token: string) =>
  queryOptions({ ...query('einladungLesen', { query: { token } }), staleTime: Number.POSITIVE_INFINITY });

export const benutzerQuery = query('benutzerListe', {});

export const kontoQuery = query('kontoLesen', {});

async function toDataUrl(data: Blob): Promise<string> {
  const reader = new FileReader();
  const read = new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
  });
  reader.readAsDataURL(data);
  return read;
}

/** The logo at the stored address as an address of its own contents: one request tells the picture or why there is none. */
export const logoQuery = (logo_url: string) =>
  queryOptions({
    queryKey: ['brandingLogo', logo_url],
    queryFn: async ({ signal }) => toDataUrl(await (await callRaw('brandingLogo', {}, { signal })).blob()),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const ssoQuery = query('ssoLesen', {});

export const lizenzQuery = query('lizenzLesen', {});

export type ProtokollFilter = Pick<NonNullable<InputOf<'pruefprotokoll'>['query']>, 'aktion' | 'von' | 'bis'>;

/** The audit log, page by page; the newest entries come first. */
export const protokollQuery = (filter: ProtokollFilter) =>
  infiniteQueryOptions({
    queryKey: ['pruefprotokoll', filter],
    queryFn: ({ pageParam, signal }) =>
      call('pruefprotokoll', { query: pageParam ? { ...filter, nach: pageParam } : filter }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.weiter,
    placeholderData: keepPreviousData,
  });

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
