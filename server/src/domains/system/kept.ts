/** What many ask for at once is made once, and again when it is no longer fresh. */

export interface Kept<T> {
  get(): Promise<T>;
  /** What was made is no longer fresh. */
  forget(): void;
}

/** Keeps what `make` resolves with for so long; one at a time is made. A failure is everybody's who waits for it, and not kept. */
export function kept<T>(make: () => Promise<T>, freshMs: number, steady: () => number): Kept<T> {
  let made: { at: number; value: T } | null = null;
  let pending: Promise<T> | null = null;
  return {
    async get(): Promise<T> {
      if (made && steady() - made.at < freshMs) return made.value;
      pending ??= make()
        .then((value) => {
          made = { at: steady(), value };
          return value;
        })
        .finally(() => {
          pending = null;
        });
      return pending;
    },
    forget() {
      made = null;
    },
  };
}
