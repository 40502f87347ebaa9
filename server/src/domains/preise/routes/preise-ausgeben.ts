import { Readable } from 'node:stream';
import { preiseAusgeben } from '#contracts';
import { Content, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { writePricesCsv } from '../book/csv.ts';
import { readBook } from '../service/book.ts';

export const preiseAusgebenRoute = (context: ServiceContext): Route =>
  route(preiseAusgeben, async ({ principal }) => {
    const { fassung, preise } = await readBook(context, principal.mandant);
    return new Content('text/csv; charset=utf-8', Readable.from(writePricesCsv(preise)), {
      'content-disposition': `attachment; filename="preise-fassung-${fassung}.csv"`,
    });
  });
