/** Which methods a path has, for requests with another one. */
import type { Operation } from '#contracts';

const PARAMETER = /\{\w+\}/g;

/** Makes the look-up: the methods of the operations at a path, none at one that no operation has. */
export function createMethodsAt(operations: Operation[]): (path: string) => string[] {
  const byPath = [...Map.groupBy(operations, ({ path }) => path)].map(
    ([path, there]) =>
      [new RegExp(`^${path.replace(PARAMETER, '[^/]+')}$`), there.map(({ method }) => method)] as const,
  );
  return (path) => byPath.filter(([pattern]) => pattern.test(path)).flatMap(([, methods]) => methods);
}

/** Where the API is: under `/v1/`, known or not, and wherever else an operation is. */
export function createIsOfApi(operations: Operation[]): (url: string) => boolean {
  const methodsAt = createMethodsAt(operations.filter(({ path }) => !path.startsWith('/v1/')));
  return (url) => url.startsWith('/v1/') || methodsAt(url.split('?', 1)[0] as string).length > 0;
}
