import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { InterventionsUnknown, LimitReached } from '../eingriffe/errors.ts';
import type { Request } from './demand.ts';
import { demandOf } from './demand.ts';
import { bookedBy, RESERVATION_DEFAULTS, type ReservationOptions, Reservations } from './reservations.ts';
import { reserverOf } from './reserver.ts';

const CALL = { agent: 'a', lauf_id: null, modell: 'gpt-4o-mini' };
const BODY = JSON.stringify({ model: 'gpt-4o-mini', max_tokens: 10, messages: [] });
const ASKED: Request = {
  uri: 'https://api.openai.com/v1/chat/completions',
  modell: 'gpt-4o-mini',
  body: BODY,
  request: JSON.parse(BODY),
};
const SAETZE = {
  eingabe_eur: '0.01',
  ausgabe_eur: '0.1',
  aufruf_eur: '0',
  bis_eingabe_token: null,
  hoechste_eingabe_token: null,
  hoechste_ausgabe_token: null,
};
/** Of one call: an input token a byte. */
const HIGHEST = BODY.length * 0.01 + 1;
const ALL = [{ objekt_art: 'mandant', objekt: '', je_agent: false, je_lauf: false }];

interface Sent {
  aufrufe?: { vorrat: number; eingabe_token: number; ausgabe_token: number }[];
  zurueck?: { reservierung_id: string; betrag_eur: string }[];
}
let sent: Sent[];
let grant: (wish: { vorrat: number }, index: number) => object;
const granted = (calls: number) => ({
  gewaehrt: true,
  reservierung_id: '0192f5c1-7d2e-7c3a-9b61-0a4f5e6d7c8b',
  betrag_eur: (calls * HIGHEST).toFixed(4),
  hoechstkosten_eur: HIGHEST.toFixed(4),
  saetze: SAETZE,
  grenze: null,
});
const refused = (reserviert_eur: string) => ({
  gewaehrt: false,
  reservierung_id: null,
  betrag_eur: null,
  hoechstkosten_eur: '1',
  saetze: SAETZE,
  grenze: {
    art: 'regel',
    name: 'Tageslimit',
    objekt_art: 'agent',
    objekt: 'a',
    grenze_eur: '5',
    verbraucht_eur: '2',
    reserviert_eur,
  },
});

function reservations(options: Partial<ReservationOptions> = {}) {
  const made = new Reservations({ ...RESERVATION_DEFAULTS, ...options }, async (body) => {
    const said = JSON.parse(body) as Sent;
    sent.push(said);
    return JSON.stringify({ reservierungen: (said.aufrufe ?? []).map(grant) });
  });
  made.learn(ALL);
  return made;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  sent = [];
  grant = ({ vorrat }) => granted(vorrat);
});
afterEach(() => {
  vi.useRealTimers();
});

test('without hard limits nobody is asked', async () => {
  const made = reservations();
  made.learn([]);
  expect(bookedBy(await made.admit(CALL, ASKED, undefined))).toEqual({});
  made.learn([{ objekt_art: 'agent', objekt: 'other', je_agent: false, je_lauf: false }]);
  expect(bookedBy(await made.admit(CALL, ASKED, undefined))).toEqual({});
  made.learn([{ objekt_art: 'mandant', objekt: '', je_agent: false, je_lauf: true }]);
  expect(bookedBy(await made.admit(CALL, ASKED, undefined))).toEqual({});
  expect(sent).toEqual([]);
});

test('calls take their part from a block in memory, and book it with their event', async () => {
  const made = reservations();
  for (let call = 0; call < 4; call += 1)
    expect(bookedBy(await made.admit(CALL, ASKED, undefined))).toEqual({
      reservierung: '0192f5c1-7d2e-7c3a-9b61-0a4f5e6d7c8b',
      reserviert_eur: String(HIGHEST),
    });
  expect(sent).toHaveLength(1);
  await made.admit(CALL, ASKED, undefined);
  // The next block is for more calls.
  expect(sent.map(({ aufrufe }) => aufrufe?.[0]?.vorrat)).toEqual([4, 8]);
});

test('a hundred calls at once are one request, of which one call alone asks ahead', async () => {
  const made = reservations();
  await Promise.all(Array.from({ length: 100 }, () => made.admit(CALL, ASKED, undefined)));
  expect(sent).toHaveLength(1);
  expect(sent[0]?.aufrufe?.map(({ vorrat }) => vorrat)).toEqual([4, ...Array(99).fill(1)]);
});

test('what is idle is given back, and all that is left at the end', async () => {
  const made = reservations();
  const first = await made.admit(CALL, ASKED, undefined);
  await vi.advanceTimersByTimeAsync(21_000);
  expect(sent.at(-1)?.zurueck).toMatchObject([{ betrag_eur: String(Number((3 * HIGHEST).toFixed(4))) }]);
  first.part?.giveBack();
  await made.admit(CALL, ASKED, undefined);
  expect(sent.at(-1)?.zurueck).toMatchObject([{ betrag_eur: String(HIGHEST) }]);
  await made.close();
  expect(sent.at(-1)?.zurueck).toHaveLength(1);
});

test('a refusal names the limit; where others hold what is missing it is asked again for a while', async () => {
  grant = () => refused('0');
  const made = reservations();
  const error = await made.admit(CALL, ASKED, undefined).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(LimitReached);
  expect(error).toMatchObject({ code: 'grenze_erreicht', grenze: { name: 'Tageslimit', objekt: 'a' } });
  expect(sent).toHaveLength(1);
  grant = () => refused('2.5');
  const waiting = made.admit(CALL, ASKED, undefined);
  await vi.advanceTimersByTimeAsync(1_000);
  grant = () => granted(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await waiting).part).not.toBeNull();
});

describe('what nothing bounds', () => {
  beforeEach(() => {
    grant = () => ({
      gewaehrt: true,
      reservierung_id: null,
      betrag_eur: null,
      hoechstkosten_eur: null,
      saetze: null,
      grenze: null,
    });
  });
  test('passes and is marked', async () => {
    expect(bookedBy(await reservations().admit(CALL, ASKED, undefined))).toEqual({
      reservierung: 'unbegrenzt',
    });
  });
  test('is refused where that is wanted', async () => {
    const made = reservations({ unbounded: 'refuse' });
    await expect(made.admit(CALL, ASKED, undefined)).rejects.toMatchObject({
      isUnbounded: true,
      grenze: null,
    });
  });
});

test('the service away: calls pass, or none does', async () => {
  const away = new Reservations(RESERVATION_DEFAULTS, () => Promise.reject(new Error('away')));
  away.learn(ALL);
  expect(await reserverOf(away, 'open').admit(CALL, ASKED, undefined)).toBeNull();
  await expect(reserverOf(away, 'closed').admit(CALL, ASKED, undefined)).rejects.toBeInstanceOf(
    InterventionsUnknown,
  );
});

describe('the demand of a request', () => {
  const demand = (request: object, uri = ASKED.uri) => {
    const body = JSON.stringify(request);
    return demandOf({ uri, modell: 'm', body, request }, 1);
  };
  test('is its bytes and what it lets the model write', () => {
    const request = {
      messages: [{ role: 'user', content: 'Grüße, "image_url": 1' }],
      max_completion_tokens: 7,
      n: 3,
    };
    expect(demand(request)).toMatchObject({
      eingabe: Buffer.byteLength(JSON.stringify(request)),
      ausgabe: 21,
      begrenzt: true,
      cacheSchreiben: false,
    });
  });
  test.each([
    [{ messages: [{ content: [{ type: 'image_url', image_url: { url: 'https://…' } }] }] }],
    [{ previous_response_id: 'resp_1' }],
    [{ contents: [{ parts: [{ fileData: { fileUri: 'gs://…' } }] }] }],
  ])('of what lies beyond it nothing bounds the input: %j', (request) => {
    expect(demand(request)).toMatchObject({ eingabe: null, ausgabe: null, begrenzt: true });
  });
  test.each([
    [{ tools: [{ type: 'web_search_preview' }] }],
    [{ tools: [{ googleSearch: {} }] }],
    [{ web_search_options: {} }],
    [{ modalities: ['text', 'audio'] }],
  ])('tokens are not all of it: %j', (request) => {
    expect(demand(request).begrenzt).toBe(false);
  });
  test('tools of the caller are tokens', () => {
    const own = {
      tools: [
        { type: 'function', function: { name: 'web_search' } },
        { name: 'x', input_schema: {} },
      ],
    };
    expect(demand(own).begrenzt).toBe(true);
    expect(demand({ generationConfig: { maxOutputTokens: 5 } }).ausgabe).toBe(5);
    expect(demand({ input: 'x' }, 'https://api.openai.com/v1/embeddings').ausgabe).toBe(0);
  });
});
