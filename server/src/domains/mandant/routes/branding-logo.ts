import { brandingLogo } from '#contracts';
import { Content, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { fetchLogo } from '../service/logo.ts';

/** Foreign bytes under our own address: they may be looked at as a picture and nothing else. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'content-disposition': 'inline',
};

/** Counts one; throws 429 when there were too many. */
export interface LogoThrottle {
  count(mandant: string, address: string | null): Promise<void>;
}

export const brandingLogoRoute = (context: ServiceContext, throttle: LogoThrottle): Route =>
  route(brandingLogo, async ({ principal, request }) => {
    await throttle.count(principal.mandant, request.ip);
    const { type, bytes } = await fetchLogo(context, principal.mandant);
    return new Content(type, bytes, HEADERS);
  });
