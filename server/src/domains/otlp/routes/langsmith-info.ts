import { otlpLangsmithInfo } from '#contracts';
import { type Route, route } from '#http/index.ts';

/** GET /info. */
export const langsmithInfoRoute = (): Route => route(otlpLangsmithInfo, async () => ({ version: '0' }));
