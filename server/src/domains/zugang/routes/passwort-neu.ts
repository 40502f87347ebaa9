import { passwortNeu } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { resetPassword } from '../service/ruecksetzung.ts';
import type { Browser } from './browser.ts';

export const passwortNeuRoute = (context: ServiceContext, browser: Browser): Route =>
  route(passwortNeu, async (call) => {
    browser.keepDevice(call, await resetPassword(context, call.body, call.request.ip));
    return { geaendert: true };
  });
