import { einladungAnnehmen } from '#contracts';
import { type Browser, herkunftOf } from '#domains/zugang/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { acceptInvitation } from '../service/annahme.ts';

export const einladungAnnehmenRoute = (context: ServiceContext, browser: Browser): Route =>
  route(einladungAnnehmen, async (call) => {
    const signedIn = await acceptInvitation(context, call.body, herkunftOf(call.request));
    await browser.keep(call, signedIn);
    return signedIn.ich;
  });
