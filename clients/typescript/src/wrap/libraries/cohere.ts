import { at, text } from '../../json.ts';
import { type Fetch, observedFetch } from '../observed-fetch.ts';
import type { Observer } from '../observer.ts';
import { asObject, has, type Inside, isObject, type Library, replaceMethod } from './library.ts';

/** Operations behind the public ones; each asks one model. Errors of the transport further in are wrapped. */
const OPERATIONS = [
  '__chat',
  '__chatStream',
  '__generate',
  '__generateStream',
  '__embed',
  '__rerank',
  '__classify',
  '__summarize',
];

/** The client, or the two of them in one that has the second version on top. */
const clientsOf = (client: Inside): Inside[] =>
  [client, client.client, client.clientV2].filter((each): each is Inside => has(each, '__chat'));

function connectOne(client: Inside, observer: Observer): void {
  const options = client._options as Inside;
  options.fetch = observedFetch((options.fetch as Fetch | undefined) ?? globalThis.fetch, observer, {
    guards: false,
    endsWithReason: true,
  });
  for (const name of OPERATIONS.filter((each) => has(client, each)))
    replaceMethod(client, name, (own) => async (request, requestOptions) => {
      const signal = at(requestOptions, 'abortSignal');
      await observer.admit(asObject(text(at(request, 'model')), request, { signal }));
      return own(request, requestOptions);
    });
}

/** `cohere-ai`: `CohereClient` with its `v2`, and `CohereClientV2`. */
export const cohere: Library = {
  name: 'cohere-ai',
  matches: (client) => clientsOf(client).some(({ _options }) => isObject(_options)),
  connect(client, observer) {
    for (const each of clientsOf(client)) connectOne(each, observer);
    const second = client.v2;
    if (has(second, '__chat')) connectOne(second, observer);
  },
};
