import type { Directions } from './directions.ts';
import { type Asked, type Form, inputOf, outputOf, type Plan } from './form.ts';

/** What really became of a request; counts are meant as its provider means them. */
export interface Truth {
  tag: string;
  /** Counted within the tag, from 1. */
  number: number;
  form: string;
  path: string;
  model: string;
  stream: boolean;
  status: number;
  /** By which the answer names itself; empty where it does not, or was refused. */
  answerId: string;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  reasoning: number;
  inputIncludesCache: boolean;
  outputIncludesReasoning: boolean;
  toolCalls: number;
  /** Whether the answer, once it is complete, says its counts. */
  saysUsage: boolean;
  /** Whether all of the answer went out. */
  complete: boolean;
  /** As they came, without credentials. */
  headers: Record<string, string>;
}

const SECRET = /auth|key|token|cookie/i;

export function plainHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const named = Object.entries(headers).filter(([name]) => !SECRET.test(name) && !name.startsWith(':'));
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
}

/** The truth of a request that is answered; one that is refused used nothing. */
export function truthOf(
  { form, asked, plan }: { form: Form; asked: Asked; plan: Plan },
  { tag }: Directions,
  number: number,
  status: number,
): Omit<Truth, 'headers'> {
  const { usage } = plan;
  const isAnswered = status === 200;
  const times = (count: number) => (isAnswered ? count : 0);
  return {
    tag,
    number,
    form: form.name,
    path: asked.path,
    model: asked.model,
    stream: asked.stream,
    status,
    answerId: isAnswered ? form.answerId(plan) : '',
    input: times(form.inputIncludesCache ? inputOf(usage) : usage.freshInput),
    output: times(form.outputIncludesReasoning ? outputOf(usage) : usage.visibleOutput),
    cacheRead: times(usage.cacheRead),
    cacheWrite: times(usage.cacheWrite),
    reasoning: times(usage.reasoning),
    inputIncludesCache: form.inputIncludesCache,
    outputIncludesReasoning: form.outputIncludesReasoning,
    toolCalls: isAnswered && plan.tool ? 1 : 0,
    saysUsage: isAnswered && (form.saysUsage?.(asked) ?? true),
    complete: false,
  };
}
