/** What holds for every operation, whichever slice declares it. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Operation } from './index.ts';

const directory = join(import.meta.dirname, 'operations');
const slices = readdirSync(directory)
  .filter((name) => name !== 'index.ts')
  .map((name) => name.replace(/\.ts$/, ''));

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'id' in value && 'method' in value && 'path' in value;

const operationsOf = async (file: string) =>
  (Object.values(await import(join(directory, `${file}.ts`))) as unknown[]).filter(isOperation);

describe('operations', () => {
  it.each(slices)('of %s stand in the file of their slice', async (slice) => {
    const ids = (await operationsOf(slice)).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) expect(id).toMatch(new RegExp(`^${slice}\\.\\w+$`));
  });

  it('are exported, each with an id and an address of its own', async () => {
    const declared = (await Promise.all(slices.map(operationsOf))).flat();
    expect(new Set(await operationsOf('index'))).toEqual(new Set(declared));
    expect(new Set(declared.map(({ id }) => id)).size).toBe(declared.length);
    expect(new Set(declared.map(({ method, path }) => `${method} ${path}`)).size).toBe(declared.length);
  });
});
