import { preiseLesen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { freshnessOf } from '../freshness.ts';
import { readBook } from '../service/book.ts';
import { readPriceListAge } from '../store/list-age.ts';
import { readNewestRate } from '../store/rate-age.ts';

export const preiseLesenRoute = (context: ServiceContext): Route =>
  route(preiseLesen, async ({ principal }) => ({
    ...(await readBook(context, principal.mandant)),
    stand: freshnessOf(await readPriceListAge(context), await readNewestRate(context), context.clock.now()),
  }));
