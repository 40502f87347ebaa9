import { type Fetch, observedFetch } from '../observed-fetch.ts';
import type { Observer } from '../observer.ts';
import { seenByFetch } from '../seen-request.ts';
import { has, type Inside, isObject, type Library, replaceMethod } from './library.ts';

const isPart = (value: unknown): value is Inside => has(value, '_do', '_createRequest');

/** Every part of the client (`chat`, `beta.agents`, …), made anew with the options that it has now. */
function partsOf(client: Inside): Inside[] {
  for (const [name, value] of Object.entries(client)) if (isPart(value)) delete client[name];
  const getters = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(client)));
  const parts = getters
    .flatMap(([name, { get }]) => (get === undefined ? [] : [client[name]]))
    .filter(isPart);
  return parts.flatMap((part) => [part, ...partsOf(part)]);
}

/** As much of the library's own client as it uses. */
function httpClient(options: Inside, observer: Observer) {
  const given = options.httpClient;
  const send: Fetch = has(given, 'request')
    ? (input) => (given.request as (input: unknown) => Promise<Response>)(input)
    : globalThis.fetch;
  const observed = observedFetch(send, observer, { guards: false, endsWithReason: true });
  return { request: (request: Request) => observed(request) };
}

/**
 * `@mistralai/mistralai`: an error of its transport, or of a hook, is wrapped; one that the function before both, and before the
 * repeats, returns is the caller's.
 */
export const mistral: Library = {
  name: '@mistralai/mistralai',
  matches: (client) => isPart(client) && isObject(client._options) && isPart(client.chat),
  connect(client, observer) {
    const options = client._options as Inside;
    options.httpClient = httpClient(options, observer);
    const parts = partsOf(client);
    for (const part of parts)
      replaceMethod(part, '_do', (own) => async (request, how) => {
        const seen = request instanceof Request ? await seenByFetch(request) : null;
        try {
          if (seen !== null) await observer.admitCall(seen.method, seen.uri, seen);
        } catch (error) {
          // Its promises are not made to be rejected: one that nobody has would be, too.
          return { ok: false, error };
        }
        return own(request, how);
      });
    // Functions that stand for themselves (`chatComplete(client, …)`) use the client itself, whose transport is set for good.
    const [first] = parts;
    if (first !== undefined)
      replaceMethod(
        client,
        '_do',
        () =>
          (...args) =>
            (first._do as (...a: unknown[]) => unknown)(...args),
      );
  },
};
