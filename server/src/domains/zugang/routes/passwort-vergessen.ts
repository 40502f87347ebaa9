import { passwortVergessen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { requestReset } from '../service/ruecksetzung.ts';

export const passwortVergessenRoute = (context: ServiceContext): Route =>
  route(passwortVergessen, ({ body, request }) =>
    requestReset(context, body.email, request.ip, context.config.linksInAnswers),
  );
