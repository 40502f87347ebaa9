import type { Asked, Observer } from '../observer.ts';

/** An object whose inside a library keeps to itself: found by what it has, since the package depends on no library. */
export type Inside = Record<string, unknown>;

/** How one library is connected. The client given is changed in place, so that whatever holds it is connected, too. */
export interface Library {
  name: string;
  matches(client: Inside): boolean;
  connect(client: Inside, observer: Observer): void;
}

export type Method = (...args: unknown[]) => unknown;

/** A call whose request is there as an object only; over the wire it is about as long. */
export const asObject = (
  modell: string | null,
  request: unknown,
  more: { uri?: string; signal?: unknown } = {},
): Asked => ({
  modell,
  uri: more.uri ?? '',
  request,
  signal: more.signal instanceof AbortSignal ? more.signal : undefined,
  get body() {
    return JSON.stringify(request) ?? '';
  },
});

export const isObject = (value: unknown): value is Inside => typeof value === 'object' && value !== null;

export const has = (value: unknown, ...names: string[]): value is Record<string, Method> =>
  isObject(value) && names.every((name) => typeof value[name] === 'function');

/** Puts a method of one object in the place of its own, which `wrap` gets bound. */
export function replaceMethod(owner: Inside, name: string, wrap: (own: Method) => Method): void {
  const own = owner[name] as Method;
  Object.defineProperty(owner, name, {
    value: wrap(own.bind(owner)),
    configurable: true,
    writable: true,
    enumerable: false,
  });
}
