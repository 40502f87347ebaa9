/** What is taken comes back as it was sent: every field, odd texts and numbers, from the door to the run. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sentNames } from '#contracts';
import { type Account, createAccount } from '#test/outside-account.ts';
import { createRandom } from '#test/random.ts';
import { createServiceProcess, FROM_SOURCES, type ServiceProcess } from '#test/service-process.ts';
import { until } from '#test/until.ts';

let service: ServiceProcess;
/** What a Mandant sends is counted twice a second: that of one is counted while another one rests. */
const accounts: Account[] = [];
let turn = 0;

beforeAll(async () => {
  service = createServiceProcess({}, FROM_SOURCES);
  await service.start();
  for (let made = 0; made < 6; made += 1) accounts.push(await createAccount(service));
});
afterAll(async () => {
  const errors = service?.errors() ?? [];
  await service?.dispose();
  expect(errors).toEqual([]);
});

/** As many as are allowed. */
const LEVELS = `${'{"a":'.repeat(64)}1${'}'.repeat(64)}`;

/** Runs whose single event is written as it is sent, and comes back so. */
async function roundTrip(event: string) {
  const account = accounts[turn++ % accounts.length] as Account;
  const laufId = randomUUID();
  const comma = event === '{}' ? '' : ',';
  const answer = await account.post(
    `{"ereignisse":[${event.replace('{', `{"lauf_id":"${laufId}"${comma}`)}]}`,
  );
  expect(answer.status, answer.text).toBe(202);
  await until('the run', async () => (await account.get(`/v1/laeufe/${laufId}`)).status === 200);
  const { ereignisse } = await account.lauf(laufId);
  expect(ereignisse).toHaveLength(1);
  return ereignisse[0] as unknown as Record<string, unknown>;
}

const TEXTS = [
  'Tab\tUmbruch\nWagen\rRück',
  '\\N \\. \\t \\x41 C:\\neu\\',
  `'; DROP TABLE ereignisse; -- "$1" %s`,
  '<script>alert(1)</script>&amp;',
  'عربي עברית ‮umgekehrt‬',
  '👩‍👩‍👧‍👦 🇩🇪 ﷽ Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A',
  '\u0001\u0008\u001f\u007f\u0085\u2028\u2029\ufeff\ufffe',
  ' umgeben von Leerraum\u00a0',
  '__proto__',
  'null',
];
test.each(TEXTS)('%j in every text', async (text) => {
  const sent = {
    ...Object.fromEntries(sentNames('text').map((name) => [name, text])),
    zusatz: { [text]: [text, { [text]: text }] },
  };
  expect(await roundTrip(JSON.stringify(sent))).toMatchObject(sent);
});

test('every other field', async () => {
  const sent = {
    ereignis_id: randomUUID(),
    zeitpunkt: '2026-03-29T01:30:00.123456Z',
    schritt_nr: 3,
    eltern_span: randomUUID(),
    eingabe_token: Number.MAX_SAFE_INTEGER,
    ausgabe_token: 0,
    cache_lese_token: null,
    cache_schreib_token: 5,
    denk_token: 7,
    werkzeugaufrufe: 2,
    latenz_ms: 1_200,
    erste_zeichen_ms: 80,
    geschaetzt: true,
    prompt_fingerabdruck: '00ff00ff00ff00ff',
    werkzeug_fingerabdruck: 'ffffffffffffffff',
  };
  expect(await roundTrip(JSON.stringify(sent))).toMatchObject(sent);
  expect(await roundTrip('{}')).toMatchObject({
    agent: 'unbekannt',
    status: 'erfolgreich',
    quelle: 'ingest',
    geschaetzt: false,
    eingabe_token: null,
    ausgabe_token: null,
    cache_lese_token: 0,
    cache_schreib_token: 0,
    denk_token: 0,
    werkzeugaufrufe: 0,
    zusatz: null,
  });
});

test('names that mean something to JavaScript mean nothing here', async () => {
  const zusatz =
    '{"__proto__":{"projekt":"falsch"},"constructor":{"prototype":{"x":1}},"toString":null,"hasOwnProperty":1}';
  const event = `{"__proto__":{"agent":"falsch","eingabe_token":9},"constructor":1,"toString":2,"zusatz":${zusatz}}`;
  const back = await roundTrip(event);
  expect(back).toMatchObject({ agent: 'unbekannt', projekt: 'standard', eingabe_token: null });
  expect(JSON.stringify(back.zusatz)).toBe(zusatz);
});

test('of a key given twice the last one counts', async () => {
  const back = await roundTrip(
    '{"agent":"erster","agent":"zweiter","zusatz":{"a":1,"a":2},"eingabe_token":"x","eingabe_token":5}',
  );
  expect(back).toMatchObject({ agent: 'zweiter', zusatz: { a: 2 }, eingabe_token: 5 });
});

test('numbers in odd notation are the numbers they are', async () => {
  const back = await roundTrip(
    '{"eingabe_token":-0,"ausgabe_token":1.0e3,"latenz_ms":"1_000","schritt_nr":" 7 ","werkzeugaufrufe":true}',
  );
  expect(back).toMatchObject({
    eingabe_token: 0,
    ausgabe_token: 1_000,
    latenz_ms: 1_000,
    schritt_nr: 7,
    werkzeugaufrufe: 1,
  });
  const zusatz = {
    klein: 1e-300,
    groß: 1e300,
    genau: 9_007_199_254_740_991,
    null: null,
    leer: {},
    liste: [[], [null, false]],
  };
  expect((await roundTrip(JSON.stringify({ zusatz }))).zusatz).toEqual(zusatz);
});

test('64 levels of zusatz', async () => {
  expect(JSON.stringify((await roundTrip(`{"zusatz":${LEVELS}}`)).zusatz)).toBe(LEVELS);
});

test('the longest texts that are allowed, of characters that take the most room', async () => {
  const random = createRandom(7);
  const long = (length: number) =>
    Array.from({ length }, () => String.fromCodePoint(0x20000 + random.below(40_000))).join('');
  const sent = {
    anbieter: long(60),
    modell: long(200),
    agent: long(120),
    status: long(60),
    fehlercode: long(500),
    endkunde_ref: long(120),
    funktion_ref: long(200),
    benutzer_ref: long(200),
    quelle: long(60),
    zusatz: { projekt: long(3_000) },
  };
  const back = await roundTrip(JSON.stringify(sent));
  expect(back).toMatchObject(sent);
  expect([...(back.projekt as string)]).toHaveLength(100);
});

test('a zusatz of several megabytes', async () => {
  const zusatz = { text: 'ä\n"'.repeat(1_000_000) };
  expect((await roundTrip(JSON.stringify({ zusatz }))).zusatz).toEqual(zusatz);
});
