import { has, type Inside, type Library, replaceMethod } from '../libraries/library.ts';
import type { Observer } from '../observer.ts';
import { aiSdkMiddleware } from './middleware.ts';
import type { Model } from './result.ts';

interface Params {
  abortSignal?: AbortSignal | undefined;
}

/** What a model can be asked for, and the part of the middleware that sees it. */
const METHODS = { doGenerate: 'wrapGenerate', doStream: 'wrapStream', doEmbed: 'wrapEmbed' } as const;

function connect(client: Inside, observer: Observer): void {
  const middleware = aiSdkMiddleware(observer) as unknown as Record<string, (asked: object) => unknown>;
  const model = client as Inside & Model;
  for (const [method, part] of Object.entries(METHODS)) {
    if (!has(model, method)) continue;
    replaceMethod(
      model,
      method,
      (own) => (params) =>
        middleware[part]?.({ params: params as Params, model, [method]: () => own(params) }),
    );
  }
}

/** A model of the AI SDK, of language or of embeddings: what `wrapLanguageModel` does with the middleware, in place. */
export const aiSdkModel: Library = {
  name: 'ai',
  matches: (client) => has(client, 'doGenerate', 'doStream') || has(client, 'doEmbed'),
  connect,
};
