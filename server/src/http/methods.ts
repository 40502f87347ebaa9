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
