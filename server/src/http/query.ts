/** Queries: what a repeated parameter says, and which of them are lists. */
import type { TSchema } from 'typebox';
import type { Node } from '#contracts';
import { type Check, compileCheck, type Fault } from './check/index.ts';

/** The parameters that are lists, with what stands between their values; undefined where they are repeated. */
const listsOf = (schema: TSchema | undefined): Map<string, string | undefined> =>
  new Map(
    Object.entries((schema as Node | undefined)?.properties ?? {}).flatMap(([name, field]) => {
      const { type, 'x-separator': between } = field as Node;
      return type === 'array' ? [[name, between] as const] : [];
    }),
  );

/** What a query says: of a parameter that is repeated the last value, all of them where it is a list. */
export function createQueryReader(schema: TSchema | undefined): (query: unknown) => Record<string, unknown> {
  const lists = listsOf(schema);
  const read = (name: string, given: unknown) => {
    if (!lists.has(name)) return Array.isArray(given) ? given.at(-1) : given;
    const between = lists.get(name);
    return [given].flat().flatMap((text) => (between ? String(text).split(between) : [text]));
  };
  return (query) =>
    Object.fromEntries(
      Object.entries(query as Record<string, unknown>).map(([name, given]) => [name, read(name, given)]),
    );
}

/** A fault in one of the values of a parameter is one of the parameter. */
const ofParameter = (fault: Fault): Fault => ({ ...fault, loc: fault.loc.slice(0, 2) });

/** The check of a query: its faults name parameters, not places in them. */
export function compileQueryCheck(schema: TSchema): Check {
  const check = compileCheck(schema);
  return (value, loc, options) => {
    const result = check(value, loc, options);
    return result.ok ? result : { ok: false, faults: result.faults.map(ofParameter) };
  };
}
