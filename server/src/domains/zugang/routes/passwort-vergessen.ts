import { passwortVergessen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { requestReset } from '../service/ruecksetzung.ts';
import type { Throttles } from '../throttle.ts';

export const passwortVergessenRoute = (context: ServiceContext, throttles: Throttles): Route =>
  route(passwortVergessen, ({ body, request }) => requestReset(context, throttles, body.email, request.ip));
