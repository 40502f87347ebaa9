import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { everyOperation, type Operation } from '#contracts';

const operations: Record<string, Operation> = everyOperation;

const BOUND = /\b(?:route|asOperator)(?:<[^(]*>)?\(\s*(\w+),/g;
/** Several with the same handler. */
const BOUND_ALIKE = /\[([\w,\s]+)\]\.map\(\(operation\) =>\s*route\(/g;

/** The operations a file binds a handler to. */
const boundIn = (text: string): Operation[] =>
  [...text.matchAll(BOUND), ...text.matchAll(BOUND_ALIKE)]
    .flatMap(([, names = '']) => names.split(/[,\s]+/))
    .flatMap((name) => operations[name] ?? []);

test('every operation has its route in the slice its id names, and in no other', () => {
  const files = globSync('*/routes/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] });
  const routed = files.flatMap((file) =>
    boundIn(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')).map(({ id }) => [id, file] as const),
  );
  for (const [id, file] of routed) expect(file.split('/')[0], `${id} in ${file}`).toBe(id.split('.')[0]);
  expect(routed.map(([id]) => id).sort()).toEqual(
    Object.values(operations)
      .map(({ id }) => id)
      .sort(),
  );
});
