import { postAbmelden } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { setReceipt } from '../empfaenger.ts';

export const postAbmeldenRoute = (context: ServiceContext): Route =>
  route(postAbmelden, ({ query, request }) => setReceipt(context, query.token, false, request.ip));
