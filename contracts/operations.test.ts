/** What holds for every operation, whichever slice declares it. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { everyOperation, isOperation, openapiDocument } from './index.ts';

const directory = join(import.meta.dirname, 'operations');
const slices = readdirSync(directory)
  .filter((name) => name !== 'index.ts')
  .map((name) => name.replace(/\.ts$/, ''));

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
    expect(new Set(Object.values(everyOperation))).toEqual(new Set(declared));
    expect(new Set(declared.map(({ id }) => id)).size).toBe(declared.length);
    expect(new Set(declared.map(({ method, path }) => `${method} ${path}`)).size).toBe(declared.length);
  });
});

interface Described {
  description?: string;
  summary?: string;
  tags?: string[];
  properties?: Record<string, Described>;
  parameters?: { name: string; description?: string }[];
}

describe('the document', async () => {
  const operations = (await Promise.all(slices.map(operationsOf))).flat();
  const info = { title: 'Zählwerk', version: '0.1.0', description: '' };
  const { tags, paths, components } = openapiDocument(operations, info) as {
    tags: { name: string }[];
    paths: Record<string, Record<string, Described & { operationId: string }>>;
    components: { schemas: Record<string, Described> };
  };

  it('begins with what programs do: sending, then reading; summaries are in both languages', () => {
    const [first, ...others] = Object.keys(paths);
    expect(first).toBe('/v1/ereignisse');
    const lists = Object.values(paths).flatMap(Object.values);
    const [sending, reading, service, ...nouns] = tags.map(({ name }) => name);
    expect([sending, reading, service]).toEqual(['Senden · Sending', 'Lesen · Reading', 'Dienst · Service']);
    expect(nouns.length).toBeGreaterThan(20);
    expect(others.slice(0, 3)).toEqual([
      '/v1/eingriffe/aktiv',
      '/v1/reservierungen',
      '/v1/anbindung/pruefen',
    ]);
    const names = tags.map(({ name }) => name);
    for (const { operationId, summary, tags: own = [] } of lists) {
      expect(summary, operationId).toMatch(/^.+ · [A-Z].+\.$/s);
      expect(names, operationId).toContain(own[0]);
    }
  });

  it('says in English what every operation does and what its parameters mean', () => {
    const described = Object.values(paths).flatMap(Object.values);
    expect(described).toHaveLength(operations.length);
    for (const { operationId, description, parameters = [] } of described) {
      expect(description, operationId).toMatch(/^[A-Z].*\.$/s);
      for (const { name, description: meaning } of parameters)
        expect(meaning, `${operationId}: ${name}`).toMatch(/^[A-Z].*\.$/s);
    }
  });

  it('says what every component is and what its fields mean', () => {
    expect(Object.keys(components.schemas).length).toBeGreaterThan(60);
    for (const [name, { description, properties = {} }] of Object.entries(components.schemas)) {
      expect(description, name).toMatch(/^[A-Z].*\.$/s);
      expect(Object.keys(properties).length, name).toBeGreaterThan(0);
      for (const [field, { description: meaning }] of Object.entries(properties))
        expect(meaning, `${name}.${field}`).toMatch(/^[A-Z`6].*[.`]$/s);
    }
  });

  it('has an object without a name nowhere', () => {
    const nameless = (node: unknown, inside: string): string[] => {
      if (typeof node !== 'object' || node === null) return [];
      const own = 'properties' in node && 'type' in node && node.type === 'object' ? [inside] : [];
      return [...own, ...Object.entries(node).flatMap(([key, value]) => nameless(value, `${inside}/${key}`))];
    };
    expect(nameless(paths, '')).toEqual([]);
    const inner = Object.entries(components.schemas).flatMap(([name, { properties }]) =>
      Object.entries(properties ?? {}).flatMap(([field, schema]) => nameless(schema, `${name}.${field}`)),
    );
    expect(inner).toEqual([]);
  });
});
