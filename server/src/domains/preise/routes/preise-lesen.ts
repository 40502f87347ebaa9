import { preiseLesen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readBook } from '../service/book.ts';

export const preiseLesenRoute = (context: ServiceContext): Route =>
  route(preiseLesen, ({ principal }) => readBook(context, principal.mandant));
