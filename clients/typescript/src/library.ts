/** How the package names itself in what it sends, so that the service shows which version of it calls come by. */
import type { Ereignis } from './event.ts';

/** That of package.json, which a test compares. */
export const VERSION = '0.3.0';

const LIBRARY = { bibliothek: 'zaehlwerk-js', bibliothek_version: VERSION };

const isObject = (value: unknown): boolean => typeof value === 'object' && !Array.isArray(value);

/** The event with the name of the package, unless it names another library. What is no free data is left for the service to refuse. */
export const named = (event: Ereignis): Ereignis =>
  event.zusatz == null || isObject(event.zusatz)
    ? { ...event, zusatz: { ...(event.zusatz?.bibliothek === undefined ? LIBRARY : {}), ...event.zusatz } }
    : event;
