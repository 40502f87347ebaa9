import { endkundenEinlesen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { fileBody, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readEndkundenCsv } from '../endkunden-csv/read.ts';
import { importEndkunden } from '../service/import.ts';

/** Milliseconds of CPU time that a line may take: three to five times what ordinary ones do. */
const WORTH_OF_A_LINE = 0.05;

/** What comes of the file, made in a thread. */
export const endkundenBody = fileBody(endkundenEinlesen, ({ csv, probe }) => {
  const zeilen = readEndkundenCsv(Buffer.from(csv));
  return { value: { zeilen, probe }, worth: WORTH_OF_A_LINE * zeilen.length };
});

export const endkundenEinlesenRoute = (context: ServiceContext): Route =>
  route(
    endkundenEinlesen,
    (call) => importEndkunden(context, call.principal.mandant, akteurOf(call), call.body),
    endkundenBody.options,
  );
