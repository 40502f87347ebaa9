import { type Fetch, observedFetch } from '../observed-fetch.ts';
import { bodyText, SeenRequest } from '../seen-request.ts';
import { has, type Inside, isObject, type Library, replaceMethod } from './library.ts';

const apiClientOf = (client: Inside): Inside | null => (isObject(client.apiClient) ? client.apiClient : null);

/** `@google/genai`: all requests go through one function, and its own repeats happen further in. */
export const googleGenAi: Library = {
  name: '@google/genai',
  matches: (client) => has(apiClientOf(client), 'apiCall', 'request'),
  connect(client, observer) {
    const api = apiClientOf(client) as Inside;
    const observed = (given: unknown): Fetch =>
      observedFetch((given as Fetch | undefined) ?? globalThis.fetch, observer, { guards: false });
    replaceMethod(api, 'apiCall', (own) => async (...args) => {
      const [uri, init, retries, timeout, signal, given, ...more] = args;
      const { method, body } = (init ?? {}) as RequestInit;
      const request = new SeenRequest({
        method: method ?? 'GET',
        uri: String(uri),
        body: bodyText(body),
        signal: signal instanceof AbortSignal ? signal : undefined,
      });
      await observer.admitCall(request.method, request.uri, request);
      return own(uri, init, retries, timeout, signal, observed(given), ...more);
    });
    // Interactions have a transport of their own, made from this.
    if (has(api, 'getFetch')) replaceMethod(api, 'getFetch', (own) => () => guarding(own()));
    function guarding(given: unknown): Fetch {
      return observedFetch((given as Fetch | undefined) ?? globalThis.fetch, observer, { guards: true });
    }
  },
};
