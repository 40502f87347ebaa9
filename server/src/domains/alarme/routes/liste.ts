import { alarmeListe } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { listOfAlarms } from '../service/log.ts';

export const alarmeListeRoute = (context: ServiceContext): Route =>
  route(alarmeListe, ({ query, principal: { mandant, zeitzone } }) =>
    listOfAlarms(context, mandant, query, zeitzone),
  );
