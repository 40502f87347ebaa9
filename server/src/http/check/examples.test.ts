/** Examples and defaults of the contract are values the check takes as they are. */
import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import { expect, it } from 'vitest';
import { everyOperation, type Node, type Operation, Type } from '#contracts';
import { compileCheck } from './index.ts';

interface Sample {
  where: string;
  schema: TSchema;
  value: unknown;
}

/** Every example and default in a schema, with the schema of the field it stands at. */
function samplesOf(schema: TSchema, where: string): Sample[] {
  const { examples = [], default: preset, properties = {}, items, anyOf = [] } = schema as Node;
  const values = preset === undefined ? examples : [...examples, preset];
  return [
    ...values.map((value) => ({ where, schema, value })),
    ...Object.entries(properties).flatMap(([name, field]) => samplesOf(field, `${where}.${name}`)),
    ...(items ? samplesOf(items, where) : []),
    ...anyOf.flatMap((branch) => samplesOf(branch, where)),
  ];
}

const samples = Object.values<Operation>(everyOperation).flatMap(
  ({ id, params, query, header, body, response }) =>
    [params, query, header, body, response].flatMap((part) => (part ? samplesOf(part, id) : [])),
);

const isTaken = ({ schema, value }: Sample): boolean => {
  const { default: _, ...shape } = schema as Node;
  const result = compileCheck(Type.Object({ value: shape as TSchema }))({ value }, ['body']);
  return result.ok && isDeepStrictEqual(result.value, { value });
};

it('every example and every default', () => {
  expect(samples.length).toBeGreaterThan(300);
  expect(samples.filter((sample) => !isTaken(sample))).toEqual([]);
});
