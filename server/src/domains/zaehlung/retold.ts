/**
 * Calls of programs that tell of them in two ways (docs/decisions/0179, 0187): by their telemetry, and by the proxy or a transcript. Each way names
 * a call by an id of its own; that they mean the same one, the request's id tells, else session, model, counts and instant.
 */
import type { PackedBatch } from '#domains/ereignisse/index.ts';
import { countingRule, type TokenBuckets, toBuckets } from '#domains/preise/index.ts';
import type { Ask } from '#platform/database/index.ts';
import { mayHaveTold, SOURCES_KNOWN_DAYS } from './source-sums.ts';

/** What tells of calls by transcripts, by telemetry, and by the proxy (or by what says nothing else of itself). */
const [TRANSCRIPT, TELEMETRY, DIRECT] = ['import:claude-code', 'otlp', 'ingest'];
/** What a way of telling is held against. A transcript and the proxy name a call alike. */
const AGAINST: Readonly<Record<string, readonly string[]>> = {
  [TRANSCRIPT]: [TELEMETRY],
  [DIRECT]: [TELEMETRY],
  [TELEMETRY]: [TRANSCRIPT, DIRECT],
};
/** Programs that send telemetry and call models by an address that can be set. */
const PROGRAMS: ReadonlySet<string | null> = new Set(['claude-code', 'codex', 'gemini-cli', 'opencode']);
/** A transcript notes when a part of the answer came, the others when the call began and ended: by the clock of one machine. */
const SLACK_S = 10;
/** Calls that those of one batch are held against. */
const MOST_TOLD = 20_000;

/** Days before sources are forgotten in which what is known of them is not relied on: days are local, and jobs come late. */
const LATE_DAYS = 5;
const DAY_S = 86_400;

/** A call as one way tells of it; seconds since 1970. */
interface ToldCall {
  id: string;
  lauf: string;
  /** As the provider calls the request; null where nothing says it. */
  anfrage: string | null;
  modell: string;
  /** The four counts; null where one is unknown. */
  token: string | null;
  begin: number;
  end: number;
}

/** A call of a batch, and by which way it came. */
export interface RetoldCall extends ToldCall {
  quelle: string;
}

/** Without what one of both may leave out: the day of the edition, and the size of the window. */
const modelName = (modell: string | null): string =>
  (modell ?? '').replace(/\[\w+\]$/, '').replace(/-\d{4}-?\d{2}-?\d{2}$/, '');

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

/** Reads the calls of a batch that may be told of in another way, too. */
export function retoldIn(batch: PackedBatch): RetoldCall[] {
  const [quelleAt, agentAt, modellAt] = [batch.texts('quelle'), batch.texts('agent'), batch.texts('modell')];
  const [zusatzAt, latenzAt] = [batch.numbers('zusatz'), batch.counts('latenz_ms')];
  const [idAt, laufAt, tokenAt] = [batch.uuids('ereignis_id'), batch.uuids('lauf_id'), createTokens(batch)];
  const { seconds, micros } = batch.columns.of('zeitpunkt');
  const found: RetoldCall[] = [];
  for (let index = 0; index < batch.events; index += 1) {
    const quelle = quelleAt(index) ?? DIRECT;
    if (!Object.hasOwn(AGAINST, quelle)) continue;
    const zusatz = zusatzAt(index);
    const said = zusatz < 0 ? '{}' : batch.text(zusatz);
    if (quelle !== TRANSCRIPT && !PROGRAMS.has(agentAt(index)) && !said.includes('"anfrage_id"')) continue;
    const [id, lauf] = [idAt(index), laufAt(index)];
    if (id === null || lauf === null) continue;
    const free = JSON.parse(said) as Record<string, unknown>;
    const anfrage = typeof free.anfrage_id === 'string' ? free.anfrage_id : null;
    const begin = (seconds[index] as number) + (micros[index] as number) / 1_000_000;
    const end = begin + Number(latenzAt(index) ?? 0) / 1_000;
    const [modell, token] = [modelName(modellAt(index)), tokenAt(index, free)];
    found.push({ id, quelle, lauf, anfrage, modell, token, begin, end });
  }
  return found;
}

/** How far two calls are from each other, in seconds; 0 where one begins within the other. */
const distance = (a: ToldCall, b: ToldCall): number => Math.max(a.begin - b.end, b.begin - a.end, 0);

/** What is alike in both where one of them names no request. */
const likenessOf = ({ lauf, modell, token }: ToldCall): string => `${lauf} ${modell} ${token}`;

/** A call that another way has told of, and the id under which it counts. */
export interface Retold {
  id: string;
  as: string;
}

/** Each of the calls that were told of is that of one at most. */
function pairRetold(calls: readonly ToldCall[], told: readonly ToldCall[]): Retold[] {
  const free = new Set(told);
  const byRequest = new Map(told.flatMap((each) => (each.anfrage === null ? [] : [[each.anfrage, each]])));
  const byLikeness = Map.groupBy(told, likenessOf);
  const nearest = (call: ToldCall): ToldCall | undefined => {
    if (call.token === null) return undefined;
    return (byLikeness.get(likenessOf(call)) ?? [])
      .filter((each) => free.has(each) && (call.anfrage === null || each.anfrage === null))
      .filter((each) => distance(call, each) <= SLACK_S)
      .sort((a, b) => distance(call, a) - distance(call, b))[0];
  };
  return calls.flatMap((call) => {
    const named = call.anfrage === null ? undefined : byRequest.get(call.anfrage);
    const found = named ?? nearest(call);
    return found !== undefined && free.delete(found) ? [{ id: call.id, as: found.id }] : [];
  });
}

const TOLD = `SELECT ereignis_id AS id, lauf_id AS lauf, modell, zusatz->>'anfrage_id' AS anfrage, extract(epoch FROM zeitpunkt)::float8 AS begin,
    coalesce(latenz_ms, 0)::float8 / 1000 AS dauer,
    eingabe_ohne_cache || ' ' || cache_lese_token || ' ' || cache_schreib_token || ' ' || ausgabe_gesamt AS token
  FROM ereignisse WHERE mandant_id = $1 AND lauf_id = ANY($2::uuid[]) AND quelle = ANY($3)
    AND zeitpunkt >= to_timestamp($4) - interval '1 hour' AND zeitpunkt <= to_timestamp($5) + interval '1 minute' LIMIT ${MOST_TOLD}`;

const UNKNOWN = `SELECT id FROM unnest($2::uuid[]) AS n (id)
  WHERE NOT EXISTS (SELECT FROM ereignis_kennungen k WHERE k.mandant_id = $1 AND k.ereignis_id = n.id)`;

interface ToldRow extends Omit<ToldCall, 'modell' | 'end'> {
  modell: string | null;
  dauer: number;
}

/** What is counted of the same sessions in the same time by another way. */
async function toldOf(ask: Ask, mandant: string, calls: readonly RetoldCall[]): Promise<ToldCall[]> {
  const [first] = calls;
  if (first === undefined) return [];
  const rows = await ask<ToldRow>(TOLD, [
    mandant,
    [...new Set(calls.map(({ lauf }) => lauf))],
    AGAINST[first.quelle],
    Math.min(...calls.map(({ begin }) => begin)),
    Math.max(...calls.map(({ end }) => end)),
  ]);
  return rows.map(({ modell, dauer, ...row }) => ({
    ...row,
    modell: modelName(modell),
    end: row.begin + dauer,
  }));
}

/** Of calls that came directly those that telemetry may have told of; of old ones nobody knows what told of them. */
function mayBeRetold(calls: readonly RetoldCall[], sources: readonly string[] | null): readonly RetoldCall[] {
  if (sources === null || mayHaveTold(sources, [TELEMETRY])) return calls;
  const known = Date.now() / 1_000 - (SOURCES_KNOWN_DAYS - LATE_DAYS) * DAY_S;
  return calls.filter(({ quelle, begin }) => quelle !== DIRECT || begin < known);
}

/**
 * Those of a Mandant that are not counted, and whose call is: by another way, before or in the same batch. `sources`: the names of what told of
 * its calls, null where that is not known.
 */
export async function findRetold(
  ask: Ask,
  mandant: string,
  calls: readonly RetoldCall[],
  sources: readonly string[] | null = null,
): Promise<Retold[]> {
  if (calls.length === 0) return [];
  const byTelemetry = calls.filter(({ quelle }) => quelle === TELEMETRY);
  const others = calls.filter(({ quelle }) => quelle !== TELEMETRY);
  const asked = mayBeRetold(others, sources);
  const first = pairRetold(asked, await toldOf(ask, mandant, asked));
  const counted = await toldOf(ask, mandant, byTelemetry);
  // What comes in the same batch counts under the id that is not telemetry's.
  const seen = new Set([...first.map(({ id }) => id), ...counted.map(({ id }) => id)]);
  const beside = others.filter(({ id }) => !seen.has(id));
  const found = [...first, ...pairRetold(byTelemetry, [...counted, ...beside])];
  if (found.length === 0) return [];
  const rows = await ask<{ id: string }>(UNKNOWN, [mandant, found.map(({ id }) => id)]);
  const unknown = new Set(rows.map(({ id }) => id));
  return found.filter(({ id }) => unknown.has(id));
}
