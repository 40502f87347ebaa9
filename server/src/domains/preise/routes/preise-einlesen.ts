import { preiseEinlesen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { fileBody, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readPricesCsv } from '../book/csv.ts';
import { importPrices } from '../service/book.ts';

/** Milliseconds of CPU time that a line may take: three to five times what ordinary ones do. */
const WORTH_OF_A_LINE = 0.2;

/** What comes of the file, made in a thread. */
export const preiseBody = fileBody(preiseEinlesen, ({ csv, ...body }) => {
  const preise = readPricesCsv(csv);
  return { value: { ...body, preise }, worth: WORTH_OF_A_LINE * preise.length };
});

export const preiseEinlesenRoute = (context: ServiceContext): Route =>
  route(
    preiseEinlesen,
    (call) => importPrices(context, call.principal.mandant, akteurOf(call), call.body),
    preiseBody.options,
  );
