/** What the screens read, with how long it stays fresh and how often it is asked for again. */
import { type InfiniteData, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { preferences } from '../preferences.ts';
import { call, callRaw } from './call.ts';
import { pages, query } from './make-query.ts';
import type { AnswerOf, InputOf } from './operations.ts';

/** Figures of a running period grow: asked for again at this interval while the page is in sight. */
const liveMs = 10_000;

/** That interval, or never while the reader has stopped it. */
const whileLive = (interval = liveMs): number | false => (preferences().live ? interval : false);

/** While one page is enough, it is asked for again and again; who reads on wants the rows to stay where they are. */
const whileOnePage = ({ state }: { state: { data: { pages: unknown[] } | undefined } }) =>
  (state.data?.pages.length ?? 0) > 1 ? false : whileLive();

/** Who is signed in. Rarely changes, so it is not asked for on every page. */
export const ichQuery = queryOptions({ ...query('ich', {}), staleTime: 5 * 60_000 });

/** The views the user keeps. Changed here they are read anew; those changed elsewhere can wait. */
export const ansichtenQuery = queryOptions({ ...query('ansichten', {}), staleTime: 60_000 });

export const sitzungenQuery = pages('sitzungen', {});

/** What a link from a mail invites to. It does not change while the page is open. */
export const einladungQuery = (token: string) =>
  queryOptions({ ...query('einladungLesen', { query: { token } }), staleTime: Number.POSITIVE_INFINITY });

/** Which mail a link is about, and whether it comes. */
export const postEmpfangQuery = (token: string) => query('postEmpfangLesen', { query: { token } });

export const benutzerQuery = pages('benutzerListe', {});

export const kontoQuery = query('kontoLesen', {});

/** The keys with what came by them, page by page. */
export const schluesselQuery = pages('cockpitAnbindung', {});

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
/** Licences that were made out here, for operators. */
export const lizenzenQuery = pages('lizenzenListe', {});

export const protokollQuery = (filter: ProtokollFilter) => ({
  ...pages('pruefprotokoll', { query: filter }),
  placeholderData: keepPreviousData,
});

export const betreiberUebersichtQuery = queryOptions({
  ...query('uebersicht', {}),
  refetchInterval: () => whileLive(30_000),
});

export type MandantenFilter = Pick<
  NonNullable<InputOf<'mandantenListe'>['query']>,
  'suche' | 'paket' | 'status'
>;

/** The Mandanten as operators see them, page by page; the newest come first. */
export const betreiberMandantenQuery = (filter: MandantenFilter) => ({
  ...pages('mandantenListe', { query: { limit: 100, ...filter } }),
  placeholderData: keepPreviousData,
});

/** One of them. */
export const betreiberMandantQuery = (mandant_id: string) =>
  query('mandantenListe', { query: { mandant_id } });

/** The operator log, page by page; entries that touch one Mandant, where one is named. */
export const betreiberprotokollQuery = (mandant_id: string | undefined) => ({
  ...pages('betreiberprotokoll', { query: mandant_id ? { mandant_id } : {} }),
  placeholderData: keepPreviousData,
});

export const alarmEinstellungenQuery = query('einstellungenLesen', {});

export type AlarmFilter = Pick<NonNullable<InputOf<'alarmeListe'>['query']>, 'stufe' | 'status'>;

/** The alarms with their deliveries, page by page; the newest ones come first. */
export const alarmeQuery = (filter: AlarmFilter) => ({
  ...pages('alarmeListe', { query: { limit: 20, ...filter } }),
  placeholderData: keepPreviousData,
  refetchInterval: whileOnePage,
});

export const erststartQuery = query('erststart', {});

/** The limits of money, as proposed and as they hold. */
export const geldgrenzenQuery = query('geldgrenzen', {});

export const anbindungQuery = query('cockpitAnbindung', {});

export const quellenQuery = query('cockpitQuellen', {});

/** Only what may still change is asked for again: a period that is over is not. */
const whileOpen = ({ state }: { state: { data: { bis: string } | undefined } }) =>
  state.data && Date.parse(state.data.bis) <= Date.now() ? false : whileLive();

/** Calls with one value of a dimension; empty for all. */
export type Werte = Partial<
  Pick<
    NonNullable<InputOf<'cockpitUebersicht'>['query']>,
    'agent' | 'projekt' | 'endkunde' | 'anbieter' | 'modell' | 'funktion' | 'benutzer'
  >
>;

// Figures of one period are never shown while those of another one are on their way.

export const uebersichtQuery = (zeitraum: string, werte: Werte = {}) =>
  queryOptions({
    ...query('cockpitUebersicht', { query: { zeitraum, ...werte } }),
    refetchInterval: whileOpen,
  });

export const auffaelligesQuery = (zeitraum: string) =>
  queryOptions({
    ...query('cockpitAuffaelliges', { query: { zeitraum } }),
    staleTime: 60_000,
    refetchInterval: (asked: Parameters<typeof whileOpen>[0]) =>
      whileOpen(asked) ? whileLive(60_000) : false,
  });

/** It is worked out anew every few minutes at most. */
export const zwillingQuery = (zeitraum: string) =>
  queryOptions({
    ...query('zwilling', { query: { zeitraum } }),
    refetchInterval: (asked: Parameters<typeof whileOpen>[0]) =>
      whileOpen(asked) ? whileLive(60_000) : false,
  });

export type VerbrauchFrage = NonNullable<InputOf<'cockpitVerbrauch'>['query']>;

export const verbrauchQuery = (frage: VerbrauchFrage) =>
  queryOptions({ ...query('cockpitVerbrauch', { query: frage }), refetchInterval: whileOpen });

/** Consumption by a dimension, page by page. */
export const verbrauchSeitenQuery = (frage: VerbrauchFrage) => ({
  ...pages('cockpitVerbrauch', { query: frage }),
  staleTime: liveMs,
});

/** The agents of a period, page by page. */
export const agentenSeitenQuery = (zeitraum: string) => ({
  ...pages('cockpitAgenten', { query: { zeitraum } }),
  refetchInterval: (asked: { state: { data: { pages: { bis: string }[] } | undefined } }) => {
    const [first, second] = asked.state.data?.pages ?? [];
    return second ? (false as const) : whileOpen({ state: { data: first } });
  },
});

/** The agents that cost most in a period: to look names up, and to offer them. */
export const agentenQuery = (zeitraum: string) =>
  queryOptions({
    ...query('cockpitAgenten', { query: { zeitraum } }),
    placeholderData: keepPreviousData,
    staleTime: liveMs,
  });

export const agentQuery = (agent_id: string, zeitraum: string) =>
  queryOptions({
    ...query('cockpitAgent', { params: { agent_id }, query: { zeitraum } }),
    refetchInterval: whileOpen,
  });

export type LaeufeFilter = NonNullable<InputOf<'cockpitLaeufe'>['query']>;

export const laeufeQuery = (filter: LaeufeFilter) => ({
  ...pages('cockpitLaeufe', { query: filter }),
  refetchInterval: whileOnePage,
});

/** A run may still go on as long as its last call was not long ago. */
const goesOnMs = 15 * 60_000;

/** Whether a run whose last call ended then may still go on; one that has been quiet for longer is taken for over. */
export const mayGoOn = (ende: string): boolean => Date.now() - Date.parse(ende) < goesOnMs;

export const laufQuery = (lauf_id: string) => ({
  ...pages('cockpitLauf', { params: { lauf_id } }),
  refetchInterval: (asked: { state: { data: { pages: { lauf: { ende: string } }[] } | undefined } }) => {
    const ende = asked.state.data?.pages[0]?.lauf.ende;
    return ende !== undefined && mayGoOn(ende) ? whileOnePage(asked) : false;
  },
});

export type BefundeFilter = NonNullable<InputOf<'befundeListe'>['query']>;

export const befundeQuery = (filter: BefundeFilter) => ({
  ...pages('befundeListe', { query: filter }),
  refetchInterval: whileOnePage,
});

export const befundQuery = (befund_id: string) =>
  queryOptions({ ...query('befund', { params: { befund_id } }), refetchInterval: () => whileLive() });

/** The incidents: the gravest of the open ones first, of the closed ones the latest. */
export const vorfaelleQuery = (status: 'offen' | 'geschlossen') => ({
  ...pages('vorfaelleListe', {
    query: { status, sortierung: status === 'offen' ? 'schwere' : 'neueste' },
  }),
  refetchInterval: whileOnePage,
});

export const eingriffeQuery = (tage: number) => ({
  ...pages('eingriffeListe', { query: { tage } }),
  refetchInterval: whileOnePage,
});

/** What is in force now, whenever it began. */
export const inKraftQuery = queryOptions({
  ...query('eingriffeListe', { query: { in_kraft: true, limit: 1_000 } }),
  refetchInterval: () => whileLive(),
});

/** What programs ask for. */
export const antraegeQuery = { ...pages('antraege', {}), refetchInterval: whileOnePage };

/** The rules in one page: there are never more. */
export const regelnQuery = query('regeln', { query: { limit: 200 } });

/** The catalogue comes with the service and does not change while the page is open. */
export const regeltypenQuery = queryOptions({
  ...query('regeltypen', {}),
  staleTime: Number.POSITIVE_INFINITY,
});

export const projekteQuery = query('projekte', { query: { limit: 1_000 } });

/** What the month will cost. */
export const kostenprognoseQuery = query('kostenprognose', {});

/** The budgets and how they stand, page by page. */
export const budgetsQuery = { ...pages('budgets', {}), refetchInterval: whileOnePage };

/** A user who has asked for calls to be priced anew waits for it, whether or not other figures are kept up to date. */
const whileWorked = (status: string | undefined, interval: number) =>
  status === 'vorschau' || status === 'laeuft' ? interval : (false as const);

/** What was priced anew, page by page; the latest comes first, and only that can be under way. */
export const neubepreisungenQuery = {
  ...pages('neubepreisungen', {}),
  refetchInterval: (asked: {
    state: { data: { pages: { neubepreisungen: { status: string }[] }[] } | undefined };
  }) => whileWorked(asked.state.data?.pages[0]?.neubepreisungen[0]?.status, 3_000),
};

/** How far one has come; what it changes by month and agent is asked for apart, once it has come to rest. */
export const neubepreisungQuery = (neubepreisung_id: string) =>
  queryOptions({
    ...query('neubepreisung', { params: { neubepreisung_id }, query: { limit: 1 } }),
    refetchInterval: ({ state }) => whileWorked(state.data?.status, 1_000),
  });

export const neubepreisungZeilenQuery = (neubepreisung_id: string) =>
  pages('neubepreisung', { params: { neubepreisung_id }, query: { limit: 1_000 } });

/** A user who has something imported or taken back waits for it. */
const whileImported = (status: string | undefined, interval: number) =>
  status === 'laeuft' || status === 'ruecknahme' ? interval : (false as const);

/** What was imported, page by page; the latest comes first. */
export const importeQuery = pages('importe', {});

/** One import: its preview, how far it has come, its receipt. */
export const importQuery = (import_id: string) =>
  queryOptions({
    ...query('importEinzeln', { params: { import_id } }),
    refetchInterval: ({ state }) => whileImported(state.data?.status, 1_000),
  });

export const wechselkurseQuery = query('preisKurse', {});

export const preisbuchQuery = query('preiseLesen', {});

/** The editions of the price book in short, the latest first, page by page. */
export const preisfassungenQuery = pages('preisFassungen', {});

/** An edition as it was; it never changes. */
export const preisfassungQuery = (fassung: number) =>
  queryOptions({ ...query('preisFassung', { params: { fassung } }), staleTime: Number.POSITIVE_INFINITY });

/** What models cost now, by an edition of the price book. */
export const modellpreiseQuery = (
  fassung: number,
  modelle: InputOf<'preiseNachschlagen'>['body']['modelle'],
) =>
  queryOptions({
    queryKey: ['preiseNachschlagen', fassung, modelle],
    queryFn: ({ signal }) => call('preiseNachschlagen', { body: { modelle } }, { signal }),
    staleTime: liveMs,
  });

/** The end customers in a month, page by page. What was found stays while another text is searched for, never another month's. */
export const endkundenQuery = (monat: string, suche: string | undefined, limit = 100) => ({
  ...pages('endkunden', { query: { monat, limit, ...(suche === undefined ? {} : { suche }) } }),
  placeholderData: (before: InfiniteData<AnswerOf<'endkunden'>, string | null> | undefined) =>
    before?.pages[0]?.monat === monat ? before : undefined,
});

/** The months from the current one back, page by page. */
export const abrechnungsmonateQuery = pages('abrechnungsmonate', {});

/** As many of them, the current one first. */
export const letzteMonateQuery = (limit: number) => query('abrechnungsmonate', { query: { limit } });

/** The statement of an end customer. */
export const abrechnungQuery = (endkunde_ref: string, monat: string) =>
  query('abrechnung', { params: { endkunde_ref }, query: { monat } });

/** While statements are on their way, the list of them is asked for again at this interval. */
const onTheWayMs = 3_000;

/** Statements that went by mail, of all months, the latest first, page by page. */
export const versendungenQuery = {
  ...pages('abrechnungenVersand', {}),
  refetchInterval: ({
    state,
  }: {
    state: { data: InfiniteData<AnswerOf<'abrechnungenVersand'>> | undefined };
  }) =>
    state.data?.pages.some(({ versendungen }) => versendungen.some(({ erledigt_am }) => erledigt_am === null))
      ? onTheWayMs
      : false,
};

/** What closing a month would store, and what stands in its way. */
export const abschlussprobeQuery = (monat: string) =>
  // What was mended meanwhile is seen at once.
  queryOptions({ ...query('monatAbschliessen', { body: { monat, probe: true } }), staleTime: 0, gcTime: 0 });

/** How many statements of a month would go by mail; nothing is sent. */
export const versandprobeQuery = (monat: string) =>
  query('abrechnungenVersenden', { body: { monat, probe: true } });

export const buchhaltungQuery = query('buchhaltungLesen', {});

/** What was counted beside what providers invoiced, page by page: of a month, or of the last twelve. */
export const abgleichQuery = (monat: string | undefined) =>
  pages('abgleich', { query: { limit: 200, ...(monat === undefined ? {} : { monat }) } });

/** Which reports the user gets by mail. */
export const berichtaboQuery = query('berichtaboLesen', {});

/** An answer that takes longer is none: the page about a service that hangs must not hang with it. */
const patienceMs = 10_000;
const inTime = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
/** Asked for again and again while the page is in sight, also without a network; that there is no answer is the answer. */
const persistent = { retry: false, networkMode: 'always', refetchOnWindowFocus: true } as const;

/** How the service is. Its sentences come in the language it is asked in. */
export const statusQuery = (language: string) =>
  queryOptions({
    queryKey: ['status', language],
    queryFn: ({ signal }) => call('status', {}, { signal: inTime(signal) }),
    refetchInterval: 15_000,
    ...persistent,
  });

/** How it was in the last 90 days. */
export const verlaufQuery = queryOptions({
  queryKey: ['statusVerlauf'],
  queryFn: ({ signal }) => call('statusVerlauf', {}, { signal: inTime(signal) }),
  refetchInterval: 60_000,
  ...persistent,
});
