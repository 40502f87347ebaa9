/** A Mandant with a key, made over HTTP the way a user makes it, and what its programs send and ask. */
import { randomUUID } from 'node:crypto';
import type { Ereignis } from '#client/index.ts';
import type { apiVerbrauch, lauf, ResponseOf } from '#contracts';
import { checkAnswer } from './answers.ts';
import type { ServiceProcess } from './service-process.ts';
import { until } from './until.ts';

export type Consumption = ResponseOf<typeof apiVerbrauch>;
export type Run = ResponseOf<typeof lauf>;

export interface Answer {
  status: number;
  headers: Headers;
  /** The body as it came. */
  text: string;
  json<T>(): T;
}

/** One request; resolves with whatever is answered and rejects when nothing is. */
export async function request(url: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(300_000), ...init });
  const text = await answer.text();
  const { status } = answer;
  const contentType = answer.headers.get('content-type') ?? undefined;
  checkAnswer(url, { method: init.method ?? 'GET', status, contentType, body: text });
  return {
    status,
    headers: answer.headers,
    text,
    json: <T>() => JSON.parse(text) as T,
  };
}

/** Who it is, wherever the account lies. */
export interface Identity {
  mandantId: string;
  cookie: string;
  schluesselId: string;
  /** The whole key. */
  key: string;
}

export interface Account extends Identity {
  /** POST /v1/ereignisse with a body as it is. */
  post(body: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>): Promise<Answer>;
  /** POST /v1/ereignisse with these events. */
  send(events: Ereignis[], headers?: Record<string, string>): Promise<Answer>;
  /** GET with the key. */
  get(path: string): Promise<Answer>;
  /** GET with the session of the user. */
  look(path: string): Promise<Answer>;
  verbrauch(query?: string): Promise<Consumption>;
  /** A run with all its events, however many pages they take. */
  lauf(laufId: string): Promise<Run>;
  /** How many events have ever been counted. */
  counted(): Promise<number>;
  /** Waits until as many events as given are counted, and nothing received is left to count. */
  untilCounted(events: number): Promise<void>;
  /** Waits until everything received before this call is counted. */
  untilNothingWaits(timeoutMs?: number): Promise<void>;
}

const JSON_TYPE = { 'content-type': 'application/json' };

async function register(base: string): Promise<{ cookie: string; mandantId: string }> {
  const body = JSON.stringify({
    firma: 'Muster GmbH',
    email: `${randomUUID()}@example.org`,
    passwort: 'richtig-lang-genug',
  });
  const answer = await request(`${base}/v1/registrieren`, { method: 'POST', headers: JSON_TYPE, body });
  if (answer.status !== 201) throw new Error(`not registered: ${answer.status} ${answer.text}`);
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { cookie, mandantId: answer.json<{ mandant: { mandant_id: string } }>().mandant.mandant_id };
}

async function createKey(base: string, cookie: string): Promise<{ schluesselId: string; key: string }> {
  const answer = await request(`${base}/v1/cockpit/konto/schluessel`, {
    method: 'POST',
    headers: { ...JSON_TYPE, cookie },
    body: '{}',
  });
  if (answer.status !== 201) throw new Error(`no key: ${answer.status} ${answer.text}`);
  const { schluessel_id, schluessel } = answer.json<{ schluessel_id: string; schluessel: string }>();
  return { schluesselId: schluessel_id, key: schluessel };
}

/** Registers a Mandant at the running service and makes a key that may send and read. */
export async function createAccount(service: Pick<ServiceProcess, 'address'>): Promise<Account> {
  const { cookie, mandantId } = await register(service.address());
  return accountAt(service, { cookie, mandantId, ...(await createKey(service.address(), cookie)) });
}

/** What there is already, at a service that has it. */
export function accountAt(service: Pick<ServiceProcess, 'address'>, identity: Identity): Account {
  const { cookie, key } = identity;
  const bearer = { authorization: `Bearer ${key}` };
  const get = (path: string) => request(`${service.address()}${path}`, { headers: bearer });
  const read = async <T>(path: string): Promise<T> => {
    const answer = await get(path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json<T>();
  };
  const post: Account['post'] = (body, headers = {}) =>
    request(`${service.address()}/v1/ereignisse`, {
      method: 'POST',
      headers: { ...JSON_TYPE, ...bearer, ...headers },
      body,
    });
  const counted = async () =>
    (await read<{ ereignisse_gesamt: number }>('/v1/anbindung/pruefen')).ereignisse_gesamt;
  const verbrauch = (query = '') => read<Consumption>(`/v1/api/verbrauch${query}`);
  const untilNothingWaits = async (timeoutMs?: number) => {
    const asked = Date.now();
    const isCounted = async () => Date.parse((await verbrauch()).gezaehlt_bis) >= asked;
    await until('everything received to be counted', isCounted, timeoutMs);
  };
  return {
    ...identity,
    post,
    send: (events, headers) => post(JSON.stringify({ ereignisse: events }), headers),
    get,
    look: (path) => request(`${service.address()}${path}`, { headers: { cookie } }),
    verbrauch,
    async lauf(laufId) {
      let page = await read<Run>(`/v1/laeufe/${laufId}`);
      const ereignisse = [...page.ereignisse];
      while (page.weiter !== null) {
        page = await read<Run>(`/v1/laeufe/${laufId}?nach=${page.weiter}`);
        ereignisse.push(...page.ereignisse);
      }
      return { ...page, ereignisse };
    },
    counted,
    async untilCounted(events) {
      await until(`${events} events to be counted`, async () => (await counted()) >= events);
      await untilNothingWaits();
    },
    untilNothingWaits,
  };
}
