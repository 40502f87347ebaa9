/** A row for every table that nothing has been put into by operations and counting. */
import { mailingRows, monthRows, packageRows } from './billing.ts';
import type { RowContext } from './context.ts';
import { importRows, priceRows, providerRows, sumRows } from './figures.ts';
import { alarmRows, findingRows, requestRows, ruleRows, savingRows, toldRows } from './protection.ts';
import { accessRows, ssoRows, userRows, waitingRows } from './users.ts';

export { domainOf, hashFor, type People, rowContext } from './context.ts';

/** In the order they are put in: one may refer to an earlier one. */
const KINDS: ((context: RowContext) => Record<string, Record<string, unknown>>)[] = [
  alarmRows,
  packageRows,
  sumRows,
  ruleRows,
  toldRows,
  findingRows,
  requestRows,
  savingRows,
  userRows,
  importRows,
  priceRows,
  providerRows,
  monthRows,
  mailingRows,
  accessRows,
  ssoRows,
  waitingRows,
];

/** The rows by their tables. */
export const rowsOf = (context: RowContext) => KINDS.flatMap((rows) => Object.entries(rows(context)));
