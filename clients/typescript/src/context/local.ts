/** What holds for everything that is begun within a function, also after it has waited. */
import { builtin } from '../builtin.ts';

export interface Local<Value> {
  get(): Value | undefined;
  run<Result>(value: Value, work: () => Result): Result;
}

interface Host {
  AsyncLocalStorage?: typeof import('node:async_hooks').AsyncLocalStorage;
}

/** Without `AsyncLocalStorage` a value holds until the function first waits: what comes later might belong to anybody. */
function untilFirstWait<Value>(): Local<Value> {
  let current: Value | undefined;
  return {
    get: () => current,
    run(value, work) {
      const outer = current;
      current = value;
      try {
        return work();
      } finally {
        current = outer;
      }
    },
  };
}

export function createLocal<Value>(): Local<Value> {
  const Storage = builtin('node:async_hooks')?.AsyncLocalStorage ?? (globalThis as Host).AsyncLocalStorage;
  if (Storage === undefined) return untilFirstWait();
  const storage = new Storage<Value>();
  return { get: () => storage.getStore(), run: (value, work) => storage.run(value, work) };
}
