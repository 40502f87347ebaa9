/**
 * Calls that a transcript of Claude Code tells of after its telemetry has (docs/decisions/0179). Each names a call by an id of its own; that
 * they mean the same one, the request's id tells, else session, model, counts and instant.
 */
import type { PackedBatch } from '#domains/ereignisse/index.ts';
import { countingRule, type TokenBuckets, toBuckets } from '#domains/preise/index.ts';
import { isoOf, type Microseconds } from '#kernel/microseconds.ts';
import type { Ask } from '#platform/database/index.ts';

/** What tells of calls by transcripts, and what by telemetry. */
const [TRANSCRIPT, TELEMETRY] = ['import:claude-code', 'otlp'];
/** A transcript notes when a part of the answer came, telemetry when the call began and ended: by the clock of one machine. */
const SLACK_S = 10;
/** Calls of telemetry that those of one batch are held against. */
const MOST_TOLD = 20_000;

/** What both carry. */
interface Call {
  lauf: string;
  /** As the provider calls the request; null where nothing says it. */
  anfrage: string | null;
  modell: string;
  /** The four counts; null where one is unknown. */
  token: string | null;
}

/** A call as a transcript tells of it. */
export interface RetoldCall extends Call {
  id: string;
  at: Microseconds;
}

/** … and as telemetry did; seconds since 1970. */
interface ToldCall extends Call {
  begin: number;
  end: number;
}

/** Without what one of both may leave out: the day of the edition, and the size of the window. */
const modelName = (modell: string | null): string =>
  (modell ?? '').replace(/\[\w+\]$/, '').replace(/-\d{8}$/, '');

const countsOf = ({ eingabeOhneCache, cacheLese, cacheSchreib, ausgabeGesamt, fehlt }: TokenBuckets) =>
  fehlt === undefined ? [eingabeOhneCache, cacheLese, cacheSchreib, ausgabeGesamt].join(' ') : null;

const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

/** Reads the four counts of an event, by what its free data say of them. */
function createTokens(batch: PackedBatch) {
  const [anbieter, modell] = [batch.texts('anbieter'), batch.texts('modell')];
  const [eingabe, ausgabe] = [batch.counts('eingabe_token'), batch.counts('ausgabe_token')];
  const [cacheLese, cacheSchreib] = [batch.counts('cache_lese_token'), batch.counts('cache_schreib_token')];
  const denk = batch.counts('denk_token');
  return (index: number, free: Record<string, unknown>): string | null => {
    const buckets = toBuckets({
      rule: countingRule(anbieter(index), modell(index)),
      ...{ eingabe: eingabe(index), ausgabe: ausgabe(index), denk: denk(index) },
      ...{ cacheLese: cacheLese(index), cacheSchreib: cacheSchreib(index) },
      eingabeUmfasstCache: flag(free.eingabe_umfasst_cache),
      ausgabeUmfasstDenken: flag(free.ausgabe_umfasst_denken),
    });
    return buckets && countsOf(buckets);
  };
}

/** Reads the calls of a batch that transcripts tell of. */
export function retoldIn(batch: PackedBatch): RetoldCall[] {
  const [quelleAt, modellAt, zusatzAt] = [
    batch.texts('quelle'),
    batch.texts('modell'),
    batch.numbers('zusatz'),
  ];
  const [idAt, laufAt, tokenAt] = [batch.uuids('ereignis_id'), batch.uuids('lauf_id'), createTokens(batch)];
  const { seconds, micros } = batch.columns.of('zeitpunkt');
  const found: RetoldCall[] = [];
  for (let index = 0; index < batch.events; index += 1) {
    if (quelleAt(index) !== TRANSCRIPT) continue;
    const [id, lauf, zusatz] = [idAt(index), laufAt(index), zusatzAt(index)];
    if (id === null || lauf === null) continue;
    const free = zusatz < 0 ? {} : (JSON.parse(batch.text(zusatz)) as Record<string, unknown>);
    const anfrage = typeof free.anfrage_id === 'string' ? free.anfrage_id : null;
    const at = { seconds: seconds[index] as number, micros: micros[index] as number };
    found.push({ id, lauf, anfrage, modell: modelName(modellAt(index)), token: tokenAt(index, free), at });
  }
  return found;
}

const secondsOf = ({ seconds, micros }: Microseconds): number => seconds + micros / 1_000_000;

/** How far an instant is from a call, in seconds; within it 0. */
const distance = (at: number, { begin, end }: ToldCall): number => Math.max(begin - at, at - end, 0);

/** What is alike in both where one of them names no request. */
const likenessOf = ({ lauf, modell, token }: Call): string => `${lauf} ${modell} ${token}`;

/** The ids of calls that telemetry has told of; each of its calls is that of one at most. */
function pairRetold(calls: readonly RetoldCall[], told: readonly ToldCall[]): string[] {
  const free = new Set(told);
  const byRequest = new Map(told.flatMap((each) => (each.anfrage === null ? [] : [[each.anfrage, each]])));
  const byLikeness = Map.groupBy(told, likenessOf);
  const nearest = (call: RetoldCall): ToldCall | undefined => {
    if (call.token === null) return undefined;
    const at = secondsOf(call.at);
    return (byLikeness.get(likenessOf(call)) ?? [])
      .filter((each) => free.has(each) && (call.anfrage === null || each.anfrage === null))
      .filter((each) => distance(at, each) <= SLACK_S)
      .sort((a, b) => distance(at, a) - distance(at, b))[0];
  };
  const isTold = (call: RetoldCall): boolean => {
    const named = call.anfrage === null ? undefined : byRequest.get(call.anfrage);
    const found = named ?? nearest(call);
    return found !== undefined && free.delete(found);
  };
  return calls.filter(isTold).map(({ id }) => id);
}

const TOLD = `SELECT lauf_id, modell, zusatz->>'anfrage_id' AS anfrage, extract(epoch FROM zeitpunkt)::float8 AS begin,
    coalesce(latenz_ms, 0)::float8 / 1000 AS dauer,
    eingabe_ohne_cache || ' ' || cache_lese_token || ' ' || cache_schreib_token || ' ' || ausgabe_gesamt AS token
  FROM ereignisse WHERE mandant_id = $1 AND lauf_id = ANY($2::uuid[]) AND quelle = '${TELEMETRY}'
    AND zeitpunkt >= $3::timestamptz - interval '1 hour' AND zeitpunkt <= $4::timestamptz + interval '1 minute' LIMIT ${MOST_TOLD}`;

const UNKNOWN = `SELECT id FROM unnest($2::uuid[]) AS n (id)
  WHERE NOT EXISTS (SELECT FROM ereignis_kennungen k WHERE k.mandant_id = $1 AND k.ereignis_id = n.id)`;

interface ToldRow {
  lauf_id: string;
  modell: string | null;
  anfrage: string | null;
  begin: number;
  dauer: number;
  token: string | null;
}

/** The ids of calls of a Mandant that are not counted, and that telemetry has told of already. */
export async function findRetold(ask: Ask, mandant: string, calls: readonly RetoldCall[]): Promise<string[]> {
  if (calls.length === 0) return [];
  const times = calls.map(({ at }) => isoOf(at)).sort();
  const sessions = [...new Set(calls.map(({ lauf }) => lauf))];
  const rows = await ask<ToldRow>(TOLD, [mandant, sessions, times[0], times.at(-1)]);
  const told = rows.map(({ lauf_id, modell, begin, dauer, ...row }) => ({
    ...row,
    ...{ lauf: lauf_id, modell: modelName(modell), begin, end: begin + dauer },
  }));
  const ids = pairRetold(calls, told);
  if (ids.length === 0) return [];
  return (await ask<{ id: string }>(UNKNOWN, [mandant, ids])).map(({ id }) => id);
}
