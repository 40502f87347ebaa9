import { postEmpfangLesen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readReceipt } from '../empfaenger.ts';

export const postEmpfangLesenRoute = (context: ServiceContext): Route =>
  route(postEmpfangLesen, ({ query }) => readReceipt(context, query.token));
