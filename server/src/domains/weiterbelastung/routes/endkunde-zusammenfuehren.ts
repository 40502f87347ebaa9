import { endkundeZusammenfuehren } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { mergeEndkunde } from '../service/endkunden.ts';

export const endkundeZusammenfuehrenRoute = (context: ServiceContext): Route =>
  route(endkundeZusammenfuehren, (call) =>
    mergeEndkunde(
      context,
      call.principal.mandant,
      akteurOf(call),
      call.params.endkunde_id,
      call.body.ziel_id,
    ),
  );
