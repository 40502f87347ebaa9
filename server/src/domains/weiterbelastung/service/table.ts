/** What all end customers are charged for a month, as a table for bookkeepers. */
import type { Readable } from 'node:stream';
import { withSnapshot } from '#domains/verbrauch/index.ts';
import { type Shared, startArchive } from '#platform/archive-room.ts';
import type { ServiceContext } from '#platform/context.ts';
import { writeLinesCsv } from '../csv.ts';
import { termsOf } from './bill.ts';
import { linesForBooks } from './booking-batch.ts';
import { momentOf } from './moment.ts';
import { type FileOrder, sealingOf, writeText } from './sealed-file.ts';

/** A line of the table, in bytes. */
const EXPECTED = 200;

/** Begins the table of a month; resolves once there is something to read. Throws 422, 429 when too many are under way, 503 without room for it. */
export const startTable = (
  context: ServiceContext,
  shared: Shared,
  order: FileOrder,
): Promise<{ stream: Readable; fileName: string }> =>
  startArchive<{ fileName: string }>(context.log, shared, order.mandant, async ({ open, started }) => {
    const { bill, lines } = await withSnapshot(context, order.mandant, (snapshot) =>
      linesForBooks(momentOf(context, snapshot), order.monat),
    );
    const writer = await open(lines.length * EXPECTED);
    started({ fileName: `weiterbelastung-${bill.monat}.csv` });
    const table = writeLinesCsv(bill.monat, lines, (line) => termsOf(bill, line).steuersatz_prozent);
    await writeText(table, sealingOf(context, order, { format: 'csv', bill }), writer, shared.longest);
  });
