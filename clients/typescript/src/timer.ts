/** Timers take no more. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/** A timer that does not keep the process alive, where timers do. */
export function quietTimer(run: () => void, ms: number): ReturnType<typeof setTimeout> {
  const timer: { unref?: () => void } = setTimeout(run, Math.min(ms, MAX_TIMER_MS));
  timer.unref?.();
  return timer as ReturnType<typeof setTimeout>;
}

/** Resolves after this many milliseconds, or once `signal` is aborted; keeps no process alive. */
export function quietSleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = quietTimer(end, ms);
    signal.addEventListener('abort', end);
  });
}
