/** All operations in one value, by the names of their declarations. */
import type { Operation } from './kit/index.ts';
import * as declarations from './operations/index.ts';

type Declarations = typeof declarations;

export type OperationName = {
  [K in keyof Declarations]: Declarations[K] extends Operation ? K : never;
}[keyof Declarations];

export type OperationId = Declarations[OperationName]['id'];

export const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'id' in value && 'method' in value && 'path' in value;

export const everyOperation = Object.fromEntries(
  Object.entries(declarations).filter(([, declared]) => isOperation(declared)),
) as Pick<Declarations, OperationName>;
