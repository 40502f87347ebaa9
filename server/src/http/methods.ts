/** Which methods a path has, for requests with another one. */
import type { Operation } from '#contracts';

type Method = Operation['method'];

const PARAMETER = /\{\w+\}/g;

/** Makes the look-up: the methods of the operations at a path, none at one that no operation has. A path that is written out is itself. */
export function createMethodsAt(operations: Operation[]): (path: string) => Method[] {
  const byPath = [...Map.groupBy(operations, ({ path }) => path)].map(
    ([path, there]) =>
      [path, new RegExp(`^${path.replace(PARAMETER, '[^/]+')}$`), there.map(({ method }) => method)] as const,
  );
  return (path) =>
    byPath.find(([written]) => written === path)?.[2] ??
    byPath.filter(([, pattern]) => pattern.test(path)).flatMap(([, , methods]) => methods);
}

/** Methods of a path that is written out which only another path has, by a parameter in its place: the router would take that one. */
export function methodsOfOthers(operations: Operation[]): { method: Method; url: string }[] {
  const methodsAt = createMethodsAt(operations);
  const written = [...new Set(operations.map(({ path }) => path))].filter((path) => !path.includes('{'));
  const methodsByParameter = createMethodsAt(operations.filter(({ path }) => path.includes('{')));
  return written.flatMap((url) => {
    const own = methodsAt(url);
    const others = methodsByParameter(url).filter((method) => !own.includes(method));
    return [...new Set(others)].map((method) => ({ method, url }));
  });
}

/** Where the API is: under `/v1/`, known or not, and wherever else an operation is. */
export function createIsOfApi(operations: Operation[]): (url: string) => boolean {
  const methodsAt = createMethodsAt(operations.filter(({ path }) => !path.startsWith('/v1/')));
  return (url) => url.startsWith('/v1/') || methodsAt(url.split('?', 1)[0] as string).length > 0;
}
