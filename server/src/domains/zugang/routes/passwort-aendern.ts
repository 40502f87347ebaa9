import { passwortAendern } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { changePassword } from '../service/passwort.ts';
import type { Browser } from './browser.ts';

export const passwortAendernRoute = (context: ServiceContext, browser: Browser): Route =>
  route(passwortAendern, async (call) => {
    const { geraet, ...changed } = await changePassword(context, call.principal, akteurOf(call), call.body);
    browser.keepDevice(call, geraet);
    return changed;
  });
