/** Calls whose exchange nobody sees. What a model answers by way of a provider: the matrix. */
import { expect, test, vi } from 'vitest';
import { RunContext } from '../../context/run.ts';
import { StoppedByIntervention } from '../../eingriffe/errors.ts';
import type { Exchange } from '../../event.ts';
import { KeyedPrints } from '../../prints/sim-hash.ts';
import { toEvents } from '../../to-events.ts';
import { Observer } from '../observer.ts';
import { connectLibrary } from '../wrap.ts';
import { aiSdkMiddleware } from './middleware.ts';

const model = { provider: 'openai.embedding', modelId: 'text-embedding-3-small' };
const params = { values: ['How hot is boiling water?'], abortSignal: undefined };

function setUp() {
  const keyed = new KeyedPrints('5a'.repeat(32));
  const events: object[] = [];
  const sender = {
    guard: vi.fn(async () => undefined),
    forbids: () => null,
    reserver: { isNeeded: () => false, admit: async () => null, keep: () => undefined, claim: () => null },
    record(exchange: Exchange, call: object = {}) {
      events.push(...toEvents(exchange, new Date(), keyed).events.map((event) => ({ ...event, ...call })));
      return ['id'];
    },
  };
  const observer = new Observer(sender, new RunContext({ agent: 'a' }));
  return { sender, events, observer, middleware: aiSdkMiddleware(observer) };
}

test('values that are embedded count with the tokens that the SDK tells', async () => {
  const { middleware, events } = setUp();
  const result = { embeddings: [[0.5]], usage: { tokens: 7 } };
  expect(await middleware.wrapEmbed({ model, params, doEmbed: async () => result })).toBe(result);
  expect(events).toMatchObject([
    {
      agent: 'a',
      anbieter: 'openai',
      modell: 'text-embedding-3-small',
      eingabe_token: 7,
      ausgabe_token: 0,
      status: 'erfolgreich',
      prompt_fingerabdruck: expect.stringMatching(/^[0-9a-f]{16}$/),
    },
  ]);
});

test('tokens that it does not tell are unknown', async () => {
  const { middleware, events } = setUp();
  await middleware.wrapEmbed({ model, params, doEmbed: async () => ({ embeddings: [] }) });
  expect(events).toMatchObject([{ modell: 'text-embedding-3-small', eingabe_token: null }]);
});

test('a refusal is the caller’s, and counts as one', async () => {
  const { middleware, events } = setUp();
  const own = Object.assign(new Error('no'), { statusCode: 429, responseBody: '{"error":{"code":"slow"}}' });
  const doEmbed = () => Promise.reject(own);
  await expect(middleware.wrapEmbed({ model, params, doEmbed })).rejects.toBe(own);
  expect(events).toMatchObject([{ status: 'fehler', fehlercode: 'slow', modell: 'text-embedding-3-small' }]);
});

test('what is forbidden is not embedded', async () => {
  const { middleware, sender, events } = setUp();
  const eingriff = { stufe: 'sperren', objekt_art: 'agent', objekt: 'a', grund: '', grund_en: '', bis: null };
  sender.guard.mockRejectedValue(new StoppedByIntervention(eingriff as never));
  const doEmbed = vi.fn();
  await expect(middleware.wrapEmbed({ model, params, doEmbed })).rejects.toBeInstanceOf(
    StoppedByIntervention,
  );
  expect(doEmbed).not.toHaveBeenCalled();
  expect(events).toEqual([]);
});

test('a model that is connected in place counts as with the middleware, once, and is what it was', async () => {
  const { observer, sender, events } = setUp();
  const result = { embeddings: [[0.5]], usage: { tokens: 7 } };
  class Embedding {
    readonly provider = model.provider;
    readonly modelId = model.modelId;
    readonly #result = result;
    async doEmbed() {
      return this.#result;
    }
  }
  const own = new Embedding();
  expect([connectLibrary(own, observer), connectLibrary(own, observer)]).toEqual([null, null]);
  expect(Object.keys(own)).toEqual(['provider', 'modelId']);
  const asked = (own.doEmbed as (given: object) => Promise<object>)(params);
  expect(await asked).toBe(result);
  expect(sender.guard).toHaveBeenCalledTimes(1);
  expect(events).toMatchObject([{ modell: 'text-embedding-3-small', eingabe_token: 7 }]);
});
