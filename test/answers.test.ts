/** That a test fails which gets a wrong answer: each kind of it once. */

import { expect, test } from 'vitest';
import { gesund, lauf, pruefprotokoll, type ResponseOf, sperrliste } from '#contracts';
import { createApp, route } from '#http/index.ts';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { takeFaults } from './answered.ts';
import { checkAnswer, faultOfAnswer, watchAnswers } from './answers.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const WELL = { status: 'ok', datenbank: 'ok', annahme: 'ok', version: '1' };
const answer = (status: number, body: unknown, contentType = JSON_TYPE) => ({
  method: 'GET',
  status,
  contentType,
  body: JSON.stringify(body),
});
const LIST = {
  nummer: 1,
  ausgestellt_am: '2026-01-01T00:00:00Z',
  gueltig_bis: '2026-01-02T00:00:00Z',
  signatur: 's',
};

test.each([
  ['as declared', gesund, answer(200, WELL)],
  ['with its other status', gesund, answer(503, { ...WELL, status: 'gestört', datenbank: 'gestört' })],
  [
    'its other status, refused like any operation',
    gesund,
    answer(503, { detail: 'Der Dienst wird gerade beendet.', code: 'ueberlastet' }),
  ],
  [
    'an error with its code',
    lauf,
    answer(404, { detail: 'Diesen Lauf gibt es nicht.', code: 'nicht_gefunden' }),
  ],
  ['faults', lauf, answer(422, { detail: [{ loc: ['path', 'lauf_id'], msg: 'm', type: 'uuid_parsing' }] })],
  ['a body that is no JSON', lauf, answer(400, { detail: 'There was an error parsing the body' })],
  [
    'another media type of it',
    pruefprotokoll,
    { ...answer(200, null, 'text/csv; charset=utf-8'), body: 'a;b' },
  ],
  [
    'an address nobody has',
    undefined,
    answer(404, { detail: 'Diesen Pfad gibt es nicht.', code: 'pfad_unbekannt' }),
  ],
])('right: %s', (_name, operation, given) => {
  expect(faultOfAnswer(operation, given)).toBeNull();
});

test.each([
  ['a field too many', gesund, answer(200, { ...WELL, mehr: 1 })],
  ['a field too few', gesund, answer(200, { status: 'ok', datenbank: 'ok' })],
  ['a word that is none', gesund, answer(200, { ...WELL, status: 'gut' })],
  ['a field too many further inside', sperrliste, answer(200, { ...LIST, sperren: [{ lizenz_id: null }] })],
  ['no instant', sperrliste, answer(200, { ...LIST, gueltig_bis: '2026-01-02 00:00:00+00', sperren: [] })],
  ['another status', gesund, answer(201, WELL)],
  ['a refusal it does not declare', gesund, answer(404, { detail: 'x', code: 'nicht_gefunden' })],
  ['a code it does not declare', lauf, answer(404, { detail: 'x', code: 'link_ungueltig' })],
  ['faults where nothing is sent', gesund, answer(422, { detail: [] })],
  ['another media type', gesund, answer(200, WELL, 'text/html')],
  ['an error without a code', lauf, answer(404, { detail: 'Diesen Lauf gibt es nicht.' })],
  ['a code that is none', lauf, answer(404, { detail: 'x', code: 'gibt_es_nicht' })],
  ['an error that says more', lauf, answer(404, { detail: 'x', code: 'nicht_gefunden', stack: '' })],
  ['faults in another form', lauf, answer(422, { detail: 'x', code: 'nicht_gefunden' })],
  ['an error that is no JSON', lauf, answer(500, 'x', 'text/plain')],
  ['an error where nothing is', undefined, answer(404, { error: 'Not Found' })],
])('wrong: %s', (_name, operation, given) => {
  expect(faultOfAnswer(operation, given)).toEqual(expect.any(String));
});

test('what an app answers is looked at, and so is what comes from outside', async () => {
  const wrong = { ...WELL, mehr: 1 } as ResponseOf<typeof gesund>;
  const app = await createApp({
    log: createLog('fatal'),
    metrics: createMetrics(),
    routes: [route(gesund, async () => wrong)],
    authenticator: { key: async () => null, session: async () => null },
    production: false,
    baseUrl: () => 'http://localhost',
    trustedProxies: [],
    version: '0',
    cockpitDir: null,
  });
  watchAnswers(app);
  await app.inject('/v1/gesund');
  await app.inject('/v1/gibt-es-nicht');
  await app.close();
  expect(takeFaults()).toEqual([expect.stringMatching(/^GET \/v1\/gesund answered 200: .*mehr/s)]);
  checkAnswer('http://localhost/v1/laeufe/x', answer(200, {}));
  checkAnswer('http://localhost/docs', answer(200, {}));
  expect(takeFaults()).toEqual([expect.stringMatching(/^GET \/v1\/laeufe\/x answered 200/)]);
});
