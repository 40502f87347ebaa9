import { type SsoFehler, ssoCallback } from '#contracts';
import { type Browser, herkunftOf } from '#domains/zugang/index.ts';
import { type Call, Content, type HostCookie, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { LoginRefused } from '../errors.ts';
import { leadOn } from '../page.ts';
import { readReturn } from '../service/anmeldung.ts';
import { signIn } from '../service/benutzer.ts';

const page = (fehler: SsoFehler | null) => new Content('text/html; charset=utf-8', leadOn(fehler));

/** `begun` ties the login to the browser it began in. */
export function ssoCallbackRoute(context: ServiceContext, begun: HostCookie, browser: Browser): Route {
  const finish = async (call: Call<typeof ssoCallback>): Promise<Content> => {
    const { mandant, claims } = await readReturn(context, call.query, begun.read(call.request));
    await browser.keep(call, await signIn(context, mandant, claims, herkunftOf(call.request)));
    return page(null);
  };
  const handle = async (call: Call<typeof ssoCallback>): Promise<Content> => {
    begun.clear(call.reply);
    try {
      return await finish(call);
    } catch (error) {
      if (!(error instanceof LoginRefused)) throw error;
      context.log.warn({ code: error.code, reason: error.message }, 'company login refused');
      return page(error.code);
    }
  };
  return route(ssoCallback, handle, { idleHead: true });
}
