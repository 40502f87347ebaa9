import { at, list, text } from '../../json.ts';
import { asObject } from '../libraries/library.ts';
import type { ObservedResult, Observer } from '../observer.ts';
import { embeddingOf, exchangeOf, type Model, type Outcome, refusalOf } from './result.ts';

interface Asked<Generated, Streamed> {
  doGenerate: () => PromiseLike<Generated>;
  doStream: () => PromiseLike<Streamed>;
  params: { abortSignal?: AbortSignal | undefined };
  model: Model;
}

/**
 * What `wrapLanguageModel` of `ai` takes, in the versions 5 to 7, and `wrapEmbeddingModel` of 6 and 7: they differ in the name of their
 * version alone.
 */
export interface AiSdkMiddleware {
  readonly specificationVersion: never;
  wrapGenerate<Generated>(asked: Asked<Generated, unknown>): Promise<Generated>;
  wrapStream<Streamed extends { stream: ReadableStream<unknown> }>(
    asked: Asked<unknown, Streamed>,
  ): Promise<Streamed>;
  wrapEmbed<Embedded>(asked: Call & { doEmbed: () => PromiseLike<Embedded> }): Promise<Embedded>;
}

type Call = Pick<Asked<unknown, unknown>, 'params' | 'model'>;

/** A call from its beginning to its end. */
class AiSdkCall {
  readonly #asked: Call;
  readonly #result: ObservedResult;
  readonly #around = { kind: 'result' as const, seen: false };
  readonly #startedAt = performance.now();
  readonly #zeitpunkt = new Date().toISOString();
  #isOver = false;

  constructor(asked: Call, observer: Observer) {
    this.#asked = asked;
    this.#result = observer.beginResult(asObject(asked.model.modelId, asked.params));
    this.make = (work) => observer.within(this.#around, work);
  }

  /** Makes the call; where its exchange is seen further in, that is what counts. */
  readonly make: <Result>(work: () => PromiseLike<Result>) => PromiseLike<Result>;

  stoppedBy() {
    return this.#around.seen ? null : this.#result.stoppedBy();
  }

  ended(outcome: Outcome, how: 'complete' | 'aborted' | 'stopped' = 'complete'): void {
    const { model, params } = this.#asked;
    const aborted = how === 'complete' ? {} : { aborted: true };
    this.#record(() => exchangeOf(model, params, outcome, { ...this.#times(), ...aborted }), how);
  }

  embedded(embedded: unknown): void {
    const { model, params } = this.#asked;
    this.#record(() => embeddingOf(model, params, embedded, this.#times()), 'complete');
  }

  failed(error: unknown): void {
    const { model, params } = this.#asked;
    this.#record(() => refusalOf(model, params, error, this.#times()), 'complete');
  }

  #times() {
    return { zeitpunkt: this.#zeitpunkt, latenzMs: performance.now() - this.#startedAt };
  }

  #record(make: () => ReturnType<typeof refusalOf>, how: string): void {
    if (this.#isOver || this.#around.seen) return;
    this.#isOver = true;
    try {
      const made = make();
      const stopped = how === 'stopped' ? { status: 'fehler', fehlercode: 'eingriff' } : {};
      if (made !== null) this.#result.record(made.exchange, { ...made.call, ...stopped });
    } catch {
      // The caller has its answer; that it is not counted must not be its concern.
    }
  }
}

const emptyOutcome = (): Outcome => ({
  id: null,
  modelId: null,
  usage: null,
  metadata: null,
  content: [],
  passed: '',
});

function outcomeOf(generated: unknown): Outcome {
  return {
    id: text(at(generated, 'response', 'id')),
    modelId: text(at(generated, 'response', 'modelId')),
    usage: at(generated, 'usage'),
    metadata: at(generated, 'providerMetadata'),
    content: list(at(generated, 'content')),
    passed: '',
  };
}

/** Takes what a part of a stream says of the call. */
function take(part: unknown, outcome: Outcome): void {
  const type = at(part, 'type');
  if (type === 'response-metadata') {
    outcome.id = text(at(part, 'id')) ?? outcome.id;
    outcome.modelId = text(at(part, 'modelId')) ?? outcome.modelId;
  } else if (type === 'finish') {
    outcome.usage = at(part, 'usage');
    outcome.metadata = at(part, 'providerMetadata');
  } else if (type === 'tool-call') outcome.content.push(part);
  else if (/-delta$/.test(String(type))) outcome.passed += text(at(part, 'delta')) ?? '';
}

/** The same parts at the same time; what they say of the call is noted. */
function passingParts(stream: ReadableStream<unknown>, call: AiSdkCall): ReadableStream<unknown> {
  const reader = stream.getReader();
  const outcome = emptyOutcome();
  return new ReadableStream<unknown>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          const stopped = done ? null : call.stoppedBy();
          if (stopped !== null) {
            call.ended(outcome, 'stopped');
            void reader.cancel().catch(() => undefined);
            controller.enqueue({ type: 'error', error: stopped });
          } else if (!done) {
            take(value, outcome);
            return controller.enqueue(value);
          } else call.ended(outcome, outcome.usage === null ? 'aborted' : 'complete');
          controller.close();
        } catch (error) {
          call.ended(outcome, 'aborted');
          controller.error(error);
        }
      },
      async cancel(reason) {
        call.ended(outcome, 'aborted');
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

export function aiSdkMiddleware(observer: Observer): AiSdkMiddleware {
  const begin = async (asked: Call): Promise<AiSdkCall> => {
    await observer.admit(asObject(asked.model.modelId, asked.params, { signal: asked.params.abortSignal }));
    return new AiSdkCall(asked, observer);
  };
  const made = async <Result>(call: AiSdkCall, work: () => PromiseLike<Result>): Promise<Result> => {
    try {
      return await call.make(work);
    } catch (error) {
      call.failed(error);
      throw error;
    }
  };
  return {
    specificationVersion: 'v4' as never,
    async wrapGenerate(asked) {
      const call = await begin(asked);
      const generated = await made(call, asked.doGenerate);
      call.ended(outcomeOf(generated));
      return generated;
    },
    async wrapStream(asked) {
      const call = await begin(asked);
      const streamed = await made(call, asked.doStream);
      return { ...streamed, stream: passingParts(streamed.stream, call) };
    },
    async wrapEmbed(asked) {
      const call = await begin(asked);
      const embedded = await made(call, asked.doEmbed);
      call.embedded(embedded);
      return embedded;
    },
  };
}
