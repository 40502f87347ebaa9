import { aiSdkModel } from './ai-sdk/model.ts';
import { bedrock } from './libraries/bedrock.ts';
import { cohere } from './libraries/cohere.ts';
import { googleGenAi } from './libraries/google-genai.ts';
import { type Inside, isObject, type Library } from './libraries/library.ts';
import { mistral } from './libraries/mistral.ts';
import { stainless } from './libraries/stainless.ts';
import type { Observer } from './observer.ts';

const LIBRARIES: readonly Library[] = [stainless, googleGenAi, mistral, cohere, bedrock, aiSdkModel];

const connected = new WeakMap<object, Set<Observer>>();

/** Connects a client of a library, in place, once; says why where it cannot be. */
export function connectLibrary(client: unknown, observer: Observer): string | null {
  if (!isObject(client)) return 'only the client of a library can be wrapped';
  const observers = connected.get(client) ?? new Set();
  if (observers.has(observer)) return null;
  try {
    const library = LIBRARIES.find((each) => each.matches(client as Inside));
    if (library === undefined) return `no client of ${LIBRARIES.map(({ name }) => name).join(', ')}`;
    library.connect(client as Inside, observer);
  } catch (error) {
    return String(error);
  }
  connected.set(client, observers.add(observer));
  return null;
}
