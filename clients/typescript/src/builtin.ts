interface Builtins {
  'node:async_hooks': typeof import('node:async_hooks');
  'node:crypto': typeof import('node:crypto');
  'node:fs': typeof import('node:fs');
  'node:http': typeof import('node:http');
  'node:https': typeof import('node:https');
  'node:os': typeof import('node:os');
  'node:path': typeof import('node:path');
  'node:stream': typeof import('node:stream');
}

interface Host {
  process?: { getBuiltinModule?: (name: string) => unknown };
}

/**
 * A module of Node, undefined where there is none: no import names it, so that the package loads on runtimes that have `fetch`
 * and nothing else.
 */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined {
  return (globalThis as Host).process?.getBuiltinModule?.(name) as Builtins[Name] | undefined;
}
