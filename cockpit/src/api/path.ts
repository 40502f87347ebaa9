/** Addresses of operations: the path template of the contract filled with parameters and query. */

import { DIMENSION_NAMES } from '#contracts/rollup.ts';

type Value = string | number | boolean | null | undefined;
/** Of a parameter that is repeated, each of its values. */
export type QueryValue = Value | readonly Value[];

/** Fills `{name}` in the template; throws when one has no value. */
function fillPath(template: string, params: Record<string, Value>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === null) throw new Error(`No value for ${name} in ${template}`);
    return encodeURIComponent(String(value));
  });
}

/** Of them an empty text says something: calls without a value. */
const DIMENSIONS = new Set<string>(DIMENSION_NAMES);

/** Path with query; entries that are undefined, null or an empty text are left out, but for the values of dimensions. */
export function buildPath(
  template: string,
  params: Record<string, Value> = {},
  query: Record<string, QueryValue> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat())
      if (each !== undefined && each !== null && (each !== '' || DIMENSIONS.has(name)))
        search.append(name, String(each));
  }
  const path = fillPath(template, params);
  return search.size === 0 ? path : `${path}?${search}`;
}
