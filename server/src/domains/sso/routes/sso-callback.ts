import { type SsoFehler, ssoCallback } from '#contracts';
import { endSession, herkunftOf } from '#domains/zugang/index.ts';
import { type Call, Content, type HostCookie, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { LoginRefused } from '../errors.ts';
import { leadOn } from '../page.ts';
import { readReturn } from '../service/anmeldung.ts';
import { signIn } from '../service/benutzer.ts';

const page = (fehler: SsoFehler | null) => new Content('text/html; charset=utf-8', leadOn(fehler));

interface Cookies {
  browser: HostCookie;
  session: HostCookie;
}

export function ssoCallbackRoute(context: ServiceContext, cookies: Cookies): Route {
  const finish = async ({ query, request, reply }: Call<typeof ssoCallback>): Promise<Content> => {
    const { mandant, claims } = await readReturn(context, query, cookies.browser.read(request));
    const { token } = await signIn(context, mandant, claims, herkunftOf(request));
    // The token the browser came with, planted or not, ends here: a login always starts a session of its own.
    await endSession(context, cookies.session.read(request));
    cookies.session.set(reply, token);
    return page(null);
  };
  const handle = async (call: Call<typeof ssoCallback>): Promise<Content> => {
    cookies.browser.clear(call.reply);
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
