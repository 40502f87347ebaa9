import { postEmpfangSetzen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { setReceipt } from '../empfaenger.ts';

export const postEmpfangSetzenRoute = (context: ServiceContext): Route =>
  route(postEmpfangSetzen, ({ body, request }) =>
    setReceipt(context, body.token, body.empfangen, request.ip),
  );
