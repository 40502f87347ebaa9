/**
 * What stands in for the service where a page is tested without it: answers by operation, each held against the contract as those of
 * the service are. What a test says nothing of is answered by the contract's own example.
 */
import { vi } from 'vitest';
import { everyOperation, type Operation } from '#contracts';
import { checkAnswer } from '#test/answers.ts';
import { type AnswerOf, type Callable, routes } from '../src/api/operations.ts';
import { answerOf } from './examples.ts';

/** A call as the page has made it. */
export interface Asked {
  name: Callable;
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
}

class Refusal {
  readonly status: number;
  readonly body: object;
  constructor(status: number, body: object) {
    this.status = status;
    this.body = body;
  }
}

/** A refusal with its code. */
export const refused = (status: number, code: string, detail = ''): Refusal =>
  new Refusal(status, { detail, code });

/** A 422: the place in the request, the type of the fault, and its bounds. */
export const invalid = (...faults: [loc: (string | number)[], type: string, ctx?: object][]): Refusal =>
  new Refusal(422, {
    detail: faults.map(([loc, type, ctx]) => ({ loc, type, msg: type, ...(ctx && { ctx }) })),
  });

type Given<N extends Callable> = AnswerOf<N> | Refusal;
export type Answers = {
  [N in Callable]?: Given<N> | ((asked: Asked) => Given<N> | Promise<Given<N>>);
};

const patterns = Object.entries(routes).map(([name, [method, path]]) => ({
  name: name as Callable,
  method,
  pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  isWritten: !path.includes('{'),
}));

function askedBy(url: URL, method: string, body: string | undefined): Asked | null {
  const found = patterns
    .filter((one) => one.method === method && one.pattern.test(url.pathname))
    .sort((a, b) => Number(b.isWritten) - Number(a.isWritten))[0];
  if (!found) return null;
  const params = Object.entries(found.pattern.exec(url.pathname)?.groups ?? {});
  return {
    name: found.name,
    params: Object.fromEntries(params.map(([name, value]) => [name, decodeURIComponent(value)])),
    query: Object.fromEntries(url.searchParams),
    body: body === undefined ? null : JSON.parse(body),
  };
}

const mediaOf = ({ name }: Asked) => (everyOperation[name] as Operation).media?.[0] ?? 'text/plain';

async function answerTo(asked: Asked, answers: Answers): Promise<{ status: number; body: unknown }> {
  const { media } = everyOperation[asked.name] as Operation;
  const given: unknown = answers[asked.name] ?? (media ? '' : answerOf(asked.name));
  const answer: unknown = await (typeof given === 'function' ? given(asked) : given);
  if (answer instanceof Refusal) return answer;
  return { status: (everyOperation[asked.name] as Operation).status ?? 200, body: answer };
}

/** Answers what pages ask from now on until the end of the test; returns the calls that were made, in their order. */
export function serve(answers: Answers): Asked[] {
  const calls: Asked[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    init?.signal?.throwIfAborted();
    const url = new URL(String(input), 'http://cockpit.example');
    const method = init?.method ?? 'GET';
    const asked = askedBy(url, method, init?.body as string | undefined);
    if (!asked) throw new TypeError(`no operation: ${method} ${url.pathname}`);
    calls.push(asked);
    const { status, body } = await answerTo(asked, answers);
    init?.signal?.throwIfAborted();
    const isFile = typeof body === 'string';
    const text = isFile ? body : JSON.stringify(body);
    const contentType = isFile ? mediaOf(asked) : 'application/json; charset=utf-8';
    checkAnswer(url.href, { method, status, contentType, body: text });
    return new Response(text, { status, headers: { 'content-type': contentType } });
  });
  return calls;
}
