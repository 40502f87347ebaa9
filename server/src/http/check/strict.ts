/** What the strict pass must know of the kinds JSON Schema has no word for. */
import Type, { type TSchema } from 'typebox';
import type { Node } from '#contracts';
import { isDay, isInstant } from './datetime.ts';
import { decimalReader } from './decimal.ts';
import { isTame } from './storable.ts';

type Accept = (value: unknown) => boolean;

const KINDS: Record<string, (node: Node) => Accept | null> = {
  'day-or-instant': () => (value) => isDay(value as string) || isInstant(value as string),
  record: () => isTame,
  decimal: ({ 'x-bounds': bounds }) => {
    if (!bounds) return null;
    const read = decimalReader(bounds);
    return (value) => read(value) === value;
  },
};

const eachRefined = (properties: Record<string, TSchema>) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, refined(schema)]));

/** The schema with these kinds as refinements of TypeBox. */
export function refined(schema: TSchema): TSchema {
  const node = schema as Node;
  const copy: TSchema = {
    ...schema,
    ...(node.properties && { properties: eachRefined(node.properties) }),
    ...(node.items && { items: refined(node.items) }),
    ...(node.anyOf && { anyOf: node.anyOf.map(refined) }),
  };
  const accept = KINDS[node['x-kind'] ?? '']?.(node);
  return accept ? Type.Refine(copy, accept) : copy;
}
