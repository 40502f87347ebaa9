import { passwortNeu } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { resetPassword } from '../service/ruecksetzung.ts';
import type { Throttles } from '../throttle.ts';

export const passwortNeuRoute = (context: ServiceContext, throttles: Throttles): Route =>
  route(passwortNeu, ({ body, request }) => resetPassword(context, throttles, body, request.ip));
