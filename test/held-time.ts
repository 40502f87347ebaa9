/** Limits of time (`AbortSignal.timeout`) that are over when a test says so, and by no clock. */
import { vi } from 'vitest';

export interface HeldTime {
  /** The limits that were asked for, in milliseconds. */
  readonly asked: number[];
  /** All limits that have begun are over. */
  isUp(): void;
  /** Limits go by the clock again. */
  goOn(): void;
}

export function holdTime(): HeldTime {
  const limits: AbortController[] = [];
  const asked: number[] = [];
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    asked.push(ms);
    const limit = new AbortController();
    limits.push(limit);
    return limit.signal;
  });
  return {
    asked,
    isUp() {
      for (const limit of limits.splice(0))
        limit.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    },
    goOn: () => spy.mockRestore(),
  };
}
