import { describe, expect, test } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import type { KeyPrincipal } from '#platform/principal.ts';
import { createWorkBudget } from './work-budget.ts';

const MANDANT = mandantId('00000000-0000-4000-8000-000000000001');
const keyOf = (schluesselId: string, mandant = MANDANT): KeyPrincipal => ({
  kind: 'key',
  mandant,
  schluesselId,
  bereiche: ['Senden'],
  projekt: null,
  kontingente: null,
  annahmeAb: null,
});
const key = keyOf('a');

function budgetAt() {
  let now = 0;
  const budget = createWorkBudget(() => now);
  return {
    ...budget,
    pass: (seconds: number) => {
      now += 1_000 * seconds;
    },
  };
}
const refusal = (retryAfter: number) =>
  expect.objectContaining({ kind: 'too-many', code: 'rechenzeit_verbraucht', retryAfter });

describe('a budget of CPU time', () => {
  test('is not touched by what is worth its cost', () => {
    const budget = budgetAt();
    for (let body = 0; body < 10_000; body += 1) budget.book(key, 100, 100);
    expect(() => budget.check(key)).not.toThrow();
  });

  test('ends when more is used up, says for how long, and comes back', () => {
    const budget = budgetAt();
    for (let body = 0; body < 10; body += 1) budget.book(key, 100, 0);
    // 500 ms too many, of which 25 come back in a second.
    expect(() => budget.check(key)).toThrow(refusal(20));
    budget.pass(19);
    expect(() => budget.check(key)).toThrow(refusal(1));
    budget.pass(1);
    expect(() => budget.check(key)).not.toThrow();
  });

  test('of one key leaves another key of the Mandant half of what it has, and other Mandanten all', () => {
    const budget = budgetAt();
    const [second, third] = [keyOf('b'), keyOf('c')];
    const foreign = keyOf('d', mandantId('00000000-0000-4000-8000-000000000002'));
    budget.book(key, 600, 0);
    expect(() => budget.check(key)).toThrow(refusal(4));
    expect(() => budget.check(second)).not.toThrow();
    budget.book(second, 501, 0);
    expect(() => budget.check(second)).toThrow();
    expect(() => budget.check(third)).toThrow();
    expect(() => budget.check(foreign)).not.toThrow();
  });

  test('is nobody’s who sends without credentials', () => {
    const budget = budgetAt();
    budget.book(null, 100_000, 0);
    expect(() => budget.check(null)).not.toThrow();
  });
});
