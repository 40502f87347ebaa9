/** What connects libraries with the client: one mechanism, seen at their transport (docs/decisions/0113-exchange-first.md). */
import { type Client, type ClientOptions, createClient as createSender } from './client.ts';
import { type Defaults, RunContext, type RunOptions } from './context/run.ts';
import { type AiSdkMiddleware, aiSdkMiddleware } from './wrap/ai-sdk/middleware.ts';
import { type Fetch, observedFetch } from './wrap/observed-fetch.ts';
import { Observer } from './wrap/observer.ts';
import { connectLibrary } from './wrap/wrap.ts';

export interface Connections {
  /**
   * Connects a client of `openai`, `@anthropic-ai/sdk`, `@google/genai`, `@mistralai/mistralai`, `cohere-ai` or
   * `@aws-sdk/client-bedrock-runtime`, or a model of `ai` (5 to 7), in place, and returns it. Another one stays as it is, which a warning tells of.
   */
  wrap<Library extends object>(client: Library): Library;
  /** What is given, for everything that speaks HTTP by a `fetch` of its own: calls of models are seen and guarded, the rest passes. */
  instrument<Given extends { fetch?: Fetch }>(given?: Given): Fetch;
  /** For `wrapLanguageModel` of the AI SDK, versions 5 to 7, and its `wrapEmbeddingModel`, 6 and 7. */
  zaehlwerkMiddleware(): AiSdkMiddleware;
  /** Every call that `work` makes belongs to one run, its steps numbered from 1, and is attributed as `options` say. */
  run<Result>(options: RunOptions, work: () => Result): Result;
}

function connectionsOf(observer: Observer, context: RunContext): Connections {
  return {
    wrap(client) {
      const problem = connectLibrary(client, observer);
      if (problem !== null)
        console.warn(`zaehlwerk: a client is not connected, its calls are not counted: ${problem}`);
      return client;
    },
    instrument: (given) => observedFetch(given?.fetch ?? globalThis.fetch, observer, { guards: true }),
    zaehlwerkMiddleware: () => aiSdkMiddleware(observer),
    run: (options, work) => context.run(options, work),
  };
}

export type ConnectedClient = Client & Connections;

/**
 * A client that sends events in batches, in the background, and never disturbs its host; and that says before a call of a model
 * whether it may be made. It listens for interventions from the first time it is asked. `agent`, `endkunde` and the like hold
 * for calls outside of runs, and in them for what they leave open; `lauf_id` is the run of those outside of any.
 */
export function createClient(options: ClientOptions & Defaults = {}): ConnectedClient {
  const sender = createSender(options);
  const context = new RunContext(options);
  context.settle = () => sender.later.settle();
  const observer = new Observer(sender, context);
  const shutdown = sender.shutdown.bind(sender);
  return Object.assign(sender, connectionsOf(observer, context), {
    shutdown(timeoutMs?: number) {
      observer.close();
      return shutdown(timeoutMs);
    },
  });
}
