/** Pages whose script comes when they are first opened. */
import { lazyRouteComponent } from '@tanstack/react-router';
import { waitingFor } from '../api/waiting.ts';
import { loadTexts, type TextPart } from '../i18n/index.ts';

const pauseMs = 2_000;
const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs));

const answers = (): Promise<boolean> =>
  waitingFor(fetch('/v1/gesund', { cache: 'no-store' })).then(
    ({ ok }) => ok,
    () => false,
  );

/** Which page was loaded anew for want of its script: once, so that a script that is missing for good does not turn in circles. */
const loadedAnewKey = 'zaehlwerk_loaded_anew';

/**
 * A script that did not come: without a connection, or because it has gone with an upgrade. Browsers keep the failure as long
 * as the document lives, so a skeleton stands there until the service answers, and then the cockpit is loaded anew, at the new
 * address. Rejects with the failure where that has been tried.
 */
async function persistently<T>(load: () => Promise<T>, texts: TextPart[]): Promise<T> {
  try {
    const [module] = await waitingFor(Promise.all([load(), loadTexts(...texts)]));
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

const pageWith =
  (...texts: TextPart[]) =>
  // biome-ignore lint/suspicious/noExplicitAny: a module of components with any properties, as the router has it.
  <T extends Record<string, any>, K extends keyof T & string>(load: () => Promise<T>, name: K) =>
    lazyRouteComponent(() => persistently(load, texts), name);

/** A page of figures, of protection or of setting up. */
export const pageOf = pageWith('later');

/** A page of billing, of settings, of operators, or before the login. */
export const officePageOf = pageWith('later', 'office');
