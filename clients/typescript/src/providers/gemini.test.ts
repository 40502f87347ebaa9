import { expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf, sse } from '../test-exchange.ts';

const BASE = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash';
const text = { candidates: [{ content: { role: 'model', parts: [{ text: 'Ulm' }] } }] };
const call = { candidates: [{ content: { parts: [{ functionCall: { name: 'wetter', args: {} } }] } }] };
const usageMetadata = {
  promptTokenCount: 300,
  cachedContentTokenCount: 256,
  toolUsePromptTokenCount: 40,
  candidatesTokenCount: 25,
  thoughtsTokenCount: 110,
  totalTokenCount: 475,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 290 },
    { modality: 'AUDIO', tokenCount: 10 },
  ],
};
const expected = {
  ...BLANK,
  anbieter: 'google',
  modell: 'gemini-2.5-flash-002',
  eingabe_token: 340,
  ausgabe_token: 25,
  cache_lese_token: 256,
  denk_token: 110,
  werkzeugaufrufe: 1,
  zusatz: { audio_eingabe_token: 10, eingabe_ist_summe: true },
};
const final = { ...call, usageMetadata, modelVersion: 'gemini-2.5-flash-002' };

test('JSON answer: thoughts on top of the candidates, tool results on top of the prompt', () => {
  expect(eventOf(exchangeOf(`${BASE}:generateContent`, final))).toStrictEqual(expected);
});

const early = { ...text, usageMetadata: { promptTokenCount: 300, totalTokenCount: 300 } };

test('stream as server-sent events: the last counts hold', () => {
  expect(eventOf(exchangeOf(`${BASE}:streamGenerateContent?alt=sse`, sse(early, final)))).toStrictEqual(
    expected,
  );
});

test('stream as one JSON array, whole and cut off', () => {
  const uri = `${BASE}:streamGenerateContent`;
  const array = JSON.stringify([early, final], null, 2);
  expect(eventOf(exchangeOf(uri, array))).toStrictEqual(expected);
  expect(eventOf(exchangeOf(uri, array.slice(0, -2)))).toStrictEqual(expected);
});

test('a count that Google leaves out follows from the total; without one it is unknown', () => {
  const blocked = {
    promptFeedback: { blockReason: 'SAFETY' },
    usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
  };
  expect(eventOf(exchangeOf(`${BASE}:generateContent`, blocked))).toStrictEqual({
    ...BLANK,
    anbieter: 'google',
    modell: 'gemini-2.5-flash',
    eingabe_token: 9,
    ausgabe_token: 0,
  });
  expect(eventOf(exchangeOf(`${BASE}:generateContent`, text))).toMatchObject({
    eingabe_token: null,
    ausgabe_token: null,
  });
});

test('error named by its status', () => {
  const error = { error: { code: 429, message: 'x', status: 'RESOURCE_EXHAUSTED' } };
  expect(eventOf(exchangeOf(`${BASE}:generateContent`, error, {}, 429))).toMatchObject({
    modell: 'gemini-2.5-flash',
    status: 'fehler',
    fehlercode: 'RESOURCE_EXHAUSTED',
  });
});

test('behind a proxy its form still tells the provider', () => {
  const event = eventOf(exchangeOf('https://proxy.intern/ki', final));
  expect(event).toMatchObject({ anbieter: 'google', eingabe_token: 340 });
});

const used = (model: string, more: object, usage: object = {}) => {
  const answer = {
    ...text,
    ...more,
    modelVersion: model,
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 50, ...usage },
  };
  return eventOf(exchangeOf(`${BASE}:generateContent`, answer)).zusatz;
};

test('sound, pictures and films in the input, in the cache and in the output', () => {
  const tokens = (...counts: [string, number][]) =>
    counts.map(([modality, tokenCount]) => ({ modality, tokenCount }));
  const usage = {
    toolUsePromptTokenCount: 5,
    cachedContentTokenCount: 15,
    candidatesTokenCount: 1_300,
    promptTokensDetails: tokens(['TEXT', 40], ['AUDIO', 30], ['IMAGE', 20], ['VIDEO', 10]),
    toolUsePromptTokensDetails: tokens(['IMAGE', 5]),
    cacheTokensDetails: tokens(['AUDIO', 8], ['IMAGE', 6], ['TEXT', 1]),
    candidatesTokensDetails: tokens(['IMAGE', 1_290], ['AUDIO', 7], ['VIDEO', 3]),
  };
  expect(used('gemini-2.5-flash-image', {}, usage)).toEqual({
    audio_eingabe_token: 30,
    bild_eingabe_token: 25,
    video_eingabe_token: 10,
    audio_cache_lese_token: 8,
    bild_cache_lese_token: 6,
    audio_ausgabe_token: 7,
    bild_ausgabe_token: 1_290,
    video_ausgabe_token: 3,
    eingabe_ist_summe: true,
  });
});

const grounded = (...webSearchQueries: string[]) => ({
  candidates: [{ groundingMetadata: { webSearchQueries } }],
});

test.each([
  ['gemini-2.5-flash', grounded('a', 'b', 'c'), {}, { websuchen: 1 }],
  ['gemini-2.0-flash-001', grounded('a'), {}, { websuchen: 1 }],
  ['gemini-3-pro-preview', grounded('a', '', 'b', 'a'), {}, { websuchen: 2 }],
  [
    'gemini-3.5-flash',
    {},
    { billedToolCalls: [{ tool: 'GOOGLE_SEARCH_RETRIEVAL', successfulToolCallCount: 4 }] },
    { websuchen: 4 },
  ],
  ['gemini-3-pro-preview', grounded('', ' '), {}, null],
  ['gemini-2.5-flash', grounded(), {}, null],
])('%s bills searches as %j %j -> %j', (model, more, usage, zusatz) => {
  expect(used(model, more, usage)).toEqual(zusatz);
});

test('stream: queries that several parts repeat are counted once', () => {
  const part = { ...grounded('a', 'b'), modelVersion: 'gemini-3-flash' };
  const event = eventOf(
    exchangeOf(`${BASE}:streamGenerateContent?alt=sse`, sse(part, { ...part, usageMetadata })),
  );
  expect(event.zusatz).toMatchObject({ websuchen: 2 });
});

test.each([
  [{ trafficType: 'ON_DEMAND' }, null],
  [{ trafficType: 'ON_DEMAND_PRIORITY' }, { preisstufe: 'priority' }],
  [{ trafficType: 'PROVISIONED_THROUGHPUT' }, { preisstufe: 'provisioned_throughput' }],
  [{ serviceTier: 'flex' }, { preisstufe: 'flex' }],
  [{ serviceTier: 'standard' }, null],
])('the tier of %j is %j', (usage, zusatz) => {
  expect(used('gemini-2.5-flash', {}, usage)).toEqual(zusatz);
});

test('on Vertex AI the region is that of the address, for models whose price hangs on it', () => {
  const region = (host: string, place: string, model = 'gemini-3-pro') => {
    const uri = `https://${host}/v1/projects/p/locations/${place}/publishers/google/models/${model}:generateContent`;
    return eventOf(exchangeOf(uri, { ...final, modelVersion: model })).zusatz?.region;
  };
  expect(region('europe-west4-aiplatform.googleapis.com', 'europe-west4')).toBe('europe-west4');
  expect(region('aiplatform.googleapis.com', 'global')).toBe('global');
  expect(region('aiplatform.eu.rep.googleapis.com', 'eu')).toBe('eu');
  expect(region('europe-west4-aiplatform.googleapis.com', 'europe-west4', 'gemini-2.5-flash')).toBe(
    undefined,
  );
});
