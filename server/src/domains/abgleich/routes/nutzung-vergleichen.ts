import { nutzungVergleichen } from '#contracts';
import { fileBody, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readUsageCsv } from '../nutzung/read.ts';
import { sumByModel } from '../nutzung/sum.ts';
import { compareUsage } from '../service/nutzung.ts';

/** Milliseconds of CPU time that a line may take: three to five times what ordinary ones do. */
const WORTH_OF_A_LINE = 0.1;

/** What comes of the file, made in a thread. */
export const nutzungBody = fileBody(nutzungVergleichen, ({ monat, csv }) => {
  const { anbieter, art, zeilen } = readUsageCsv(Buffer.from(csv));
  const sums = sumByModel(zeilen, monat);
  const andere_monate = zeilen.filter((line) => line.monat !== monat).length;
  return { value: { monat, anbieter, art, sums, andere_monate }, worth: WORTH_OF_A_LINE * zeilen.length };
});

export const nutzungVergleichenRoute = (context: ServiceContext): Route =>
  route(
    nutzungVergleichen,
    ({ principal, body }) => compareUsage(context, principal.mandant, body),
    nutzungBody.options,
  );
