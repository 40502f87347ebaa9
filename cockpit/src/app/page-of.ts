/** Pages whose script comes when they are first opened. */
import { lazyRouteComponent } from '@tanstack/react-router';
import { persistently } from '../api/persistently.ts';
import { loadTexts, type TextPart } from '../i18n/index.ts';

const pageWith =
  (...texts: TextPart[]) =>
  // biome-ignore lint/suspicious/noExplicitAny: a module of components with any properties, as the router has it.
  <T extends Record<string, any>, K extends keyof T & string>(load: () => Promise<T>, name: K) =>
    lazyRouteComponent(
      () => persistently(async () => (await Promise.all([load(), loadTexts(...texts)]))[0]),
      name,
    );

/** A page of figures, of protection or of setting up. */
export const pageOf = pageWith('later');

/** A page of billing, of settings, of operators, or before the login. */
export const officePageOf = pageWith('later', 'office');
