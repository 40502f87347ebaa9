import { passwortNeu } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { resetPassword } from '../service/ruecksetzung.ts';

export const passwortNeuRoute = (context: ServiceContext): Route =>
  route(passwortNeu, ({ body, request }) => resetPassword(context, body, request.ip));
