import { betreiberprotokoll } from '#contracts';
import { type AsOperator, readOperatorLog } from '#domains/protokoll/index.ts';
import type { Route } from '#http/index.ts';

export const protokollRoute = (asOperator: AsOperator): Route =>
  asOperator(betreiberprotokoll, ({ query }, owner) => readOperatorLog(owner, query));
