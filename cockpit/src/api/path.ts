/** Addresses of operations: the path template of the contract filled with parameters and query. */

type Value = string | number | boolean | null | undefined;

/** Fills `{name}` in the template; throws when one has no value. */
function fillPath(template: string, params: Record<string, Value>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === null) throw new Error(`No value for ${name} in ${template}`);
    return encodeURIComponent(String(value));
  });
}

/** Path with query; entries that are undefined, null or an empty text are left out. */
export function buildPath(
  template: string,
  params: Record<string, Value> = {},
  query: Record<string, Value> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  const path = fillPath(template, params);
  return search.size === 0 ? path : `${path}?${search}`;
}
