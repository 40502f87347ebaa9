/** Scripts that come when they are needed. */
import { waitingFor } from './waiting.ts';

const pauseMs = 2_000;
const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs));

const answers = (): Promise<boolean> =>
  waitingFor(fetch('/v1/gesund', { cache: 'no-store' })).then(
    ({ ok }) => ok,
    () => false,
  );

/** Which page was loaded anew for want of a script: once, so that a script that is missing for good does not turn in circles. */
const loadedAnewKey = 'zaehlwerk_loaded_anew';

/**
 * A script that did not come: without a connection, or because it has gone with an upgrade. Browsers keep the failure as long
 * as the document lives, so what stands there waits until the service answers, and then the cockpit is loaded anew, at the new
 * address. Rejects with the failure where that has been tried.
 */
export async function persistently<T>(load: () => Promise<T>): Promise<T> {
  try {
    const module = await waitingFor(load());
    sessionStorage.removeItem(loadedAnewKey);
    return module;
  } catch (failure) {
    while (!(await answers())) await pause();
    if (sessionStorage.getItem(loadedAnewKey) === location.pathname) throw failure;
    sessionStorage.setItem(loadedAnewKey, location.pathname);
    location.reload();
    return new Promise<never>(() => {});
  }
}
