import { importAbschliessen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { finishReading } from '../service.ts';

export const importAbschliessenRoute = (context: ServiceContext): Route =>
  route(importAbschliessen, (call) =>
    finishReading(context, call.principal.mandant, akteurOf(call), {
      id: call.params.import_id,
      file: call.body,
    }),
  );
