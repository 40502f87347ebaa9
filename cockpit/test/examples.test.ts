import { expect, it } from 'vitest';
import { everyOperation, type Operation } from '#contracts';
import { faultOfAnswer } from '#test/answers.ts';
import type { Callable } from '../src/api/operations.ts';
import { answerOf } from './examples.ts';

it('examples are as the contract declares answers', () => {
  const faults = Object.entries(everyOperation as Record<string, Operation>)
    .filter(([, { media }]) => media === undefined)
    .map(([name, operation]) =>
      faultOfAnswer(operation, {
        method: operation.method,
        status: operation.status ?? 200,
        contentType: 'application/json',
        body: JSON.stringify(answerOf(name as Callable)),
      }),
    )
    .filter((fault) => fault !== null);
  expect(faults).toEqual([]);
});
