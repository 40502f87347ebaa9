import { MAX_TIMER_MS } from '../timer.ts';

/** Where calls wait for something to happen. */
export class Bell {
  readonly #waiting = new Set<() => void>();

  /** Lets go all who wait. */
  ring(): void {
    for (const go of this.#waiting) go();
  }

  /**
   * Resolves when it rings, at the latest after this many milliseconds; rejects with the reason of an aborted `signal`. The host
   * awaits it, so its process is kept alive until then.
   */
  async wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve) => {
      const go = () => {
        clearTimeout(timer);
        this.#waiting.delete(go);
        signal?.removeEventListener('abort', go);
        resolve();
      };
      const timer = setTimeout(go, Math.min(ms, MAX_TIMER_MS));
      this.#waiting.add(go);
      signal?.addEventListener('abort', go);
    });
    signal?.throwIfAborted();
  }
}
