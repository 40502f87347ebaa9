/** Pages whose script comes when they are first opened. */
import { lazyRouteComponent } from '@tanstack/react-router';

const pauseMs = 2_000;
const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs));

const answers = (): Promise<boolean> =>
  fetch('/v1/gesund', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * While there is no connection a script is asked for again and again, and the page before stays. Where the service answers and
 * the script does not come, it has gone with an upgrade: the router then loads the whole cockpit anew.
 */
async function persistently<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch {
      const isBack = await answers();
      await pause();
      // The connection may have come back in between: once more, and what fails then has gone.
      if (isBack) return load();
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a module of components with any properties, as the router has it.
export const pageOf = <T extends Record<string, any>, K extends keyof T & string>(
  load: () => Promise<T>,
  name: K,
) => lazyRouteComponent(() => persistently(load), name);
