/** Answers as the contract gives examples of them: what a test says nothing about is there all the same. */
import { everyOperation, type Operation } from '#contracts';
import type { AnswerOf, Callable } from '../src/api/operations.ts';

/** What of a schema an example is made from. */
interface Shape {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Shape[];
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  minItems?: number;
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  'x-kind'?: string;
}

const BY_KIND: Record<string, unknown> = {
  uuid: '0190a000-0000-7000-8000-000000000001',
  datetime: '2026-11-20T10:00:00Z',
  'date-time': '2026-11-20T10:00:00Z',
  date: '2026-11-20',
  decimal: '12.5',
  email: 'anna@example.org',
  integer: 1,
  number: 1,
  boolean: false,
  string: 'Beispiel',
  null: null,
};

/** Texts of a form of their own. */
const FORMED = ['2026-11-01T00:00:00+01:00', '00112233445566aa'];

const objectOf = ({ properties = {}, required = [] }: Shape) =>
  Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]));

/** Lists have one entry, what may be null is there, what may be left out is not. */
function exampleOf(shape: Shape): unknown {
  if (shape.examples) return shape.examples[0];
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum[0];
  if (shape.anyOf) return exampleOf(shape.anyOf[0] ?? {});
  if (shape.type === 'object') return objectOf(shape);
  if (shape.type === 'array') return [exampleOf(shape.items ?? {})];
  const kinds = [shape['x-kind'], shape.format, shape.type].map((kind) => BY_KIND[kind ?? '']);
  const plain = kinds.find((value) => value !== undefined) ?? null;
  const pattern = new RegExp(shape.pattern ?? '');
  return [plain, ...FORMED].find((value) => pattern.test(String(value)));
}

/** An answer of the operation; lists in pages have one page. */
export function answerOf<N extends Callable>(name: N, said: Partial<AnswerOf<N>> = {}): AnswerOf<N> {
  const answer = exampleOf((everyOperation[name] as Operation).response as Shape);
  const isPaged = typeof answer === 'object' && answer !== null && 'weiter' in answer;
  return Object.assign({}, answer, isPaged && { weiter: null }, said) as AnswerOf<N>;
}
