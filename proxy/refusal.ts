/** How a request is refused: in the form of the provider that was asked, so that its client shows what it says and does not try again. */
import { randomUUID } from 'node:crypto';

/** Why a request goes no further. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(`Zählwerk: ${message}`);
    this.status = status;
    this.code = code;
  }
}

/** What a person has stopped, or money: Anthropic has a type of its own for that. */
export const STOP = 400;

const ANTHROPIC: Readonly<Record<number, string>> = {
  402: 'billing_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  502: 'api_error',
  503: 'overloaded_error',
};

interface Written {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

const anthropic = ({ status, message }: Refusal): Written => {
  const said = status === STOP ? 402 : status;
  const error = { type: ANTHROPIC[said] ?? 'invalid_request_error', message };
  return { status: said, body: { type: 'error', error, request_id: randomUUID() } };
};

const gemini = ({ status, message }: Refusal): Written => ({
  status,
  body: {
    error: { code: status, message, status: status === STOP ? 'FAILED_PRECONDITION' : 'UNAVAILABLE' },
  },
});

const bedrock = ({ status, message }: Refusal): Written => ({
  status,
  body: { message },
  headers: { 'x-amzn-errortype': 'ValidationException' },
});

const openAi = ({ status, code, message }: Refusal): Written => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code } },
});

/** By the path at the provider; OpenAI's for all who speak as it does. */
const FORMS: readonly (readonly [RegExp, (refusal: Refusal) => Written])[] = [
  [/\/messages(\/|$)/, anthropic],
  [/\/models\/[^/]+:\w+$/, gemini],
  [/\/model\/[^/]+\/(converse|invoke)/, bedrock],
];

/** `path`: as the provider would have got it, without a query. */
export function writtenRefusal(path: string, refusal: Refusal): Required<Written> {
  const form = FORMS.find(([pattern]) => pattern.test(path))?.[1] ?? openAi;
  const { status, body, headers } = form(refusal);
  // Overload passes; whatever else is refused is refused again.
  const again = status === 502 || status === 503;
  return {
    status,
    body,
    headers: { 'content-type': 'application/json', 'x-should-retry': String(again), ...headers },
  };
}
