import { brandingLogo } from '#contracts';
import { Content, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { LOGOS } from '../limits.ts';
import { fetchLogo } from '../service/logo.ts';

/** Foreign bytes under our own address: they may be looked at as a picture and nothing else. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'content-disposition': 'inline',
};

export const brandingLogoRoute = (context: ServiceContext): Route =>
  route(brandingLogo, async ({ principal, request }) => {
    await context.throttle.countErrand(LOGOS, principal.mandant, request.ip);
    const { type, bytes } = await fetchLogo(context, principal.mandant);
    return new Content(type, bytes, HEADERS);
  });
