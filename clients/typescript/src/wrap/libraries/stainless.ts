import { at, text } from '../../json.ts';
import { type Fetch, observedFetch } from '../observed-fetch.ts';
import type { Observer } from '../observer.ts';
import { asObject, has, type Inside, isObject, type Library, replaceMethod } from './library.ts';

/**
 * `openai`, `@anthropic-ai/sdk` and others made by the same generator (`groq-sdk`, …). An error that their `fetch` throws is one of
 * the connection to them, tried again and then wrapped; one of `prepareOptions`, which comes before every attempt, is the caller's.
 */
export const stainless: Library = {
  name: 'openai, @anthropic-ai/sdk',
  matches: (client) => has(client, 'fetch', 'prepareOptions', 'makeRequest'),
  connect(client, observer) {
    const asksCounts = isObject(client.chat) && isObject(at(client.chat, 'completions'));
    client.fetch = observedFetch(client.fetch as Fetch, observer, { guards: false, asksCounts });
    replaceMethod(client, 'prepareOptions', (own) => async (options) => {
      const path = text(at(options, 'path')) ?? '';
      const body = at(options, 'body');
      const uri = `${text(client.baseURL) ?? ''}${path}`;
      await observer.admitCall(
        String(at(options, 'method')).toUpperCase(),
        path,
        asObject(text(at(body, 'model')), body, { uri, signal: at(options, 'signal') }),
      );
      return own(options);
    });
    if (has(client, 'withOptions')) followCopies(client, observer);
  },
};

/** Copies with other options begin without what was put into this one. */
function followCopies(client: Inside, observer: Observer): void {
  replaceMethod(client, 'withOptions', (own) => (options) => {
    const copy = own(options);
    if (isObject(copy) && stainless.matches(copy)) stainless.connect(copy, observer);
    return copy;
  });
}
