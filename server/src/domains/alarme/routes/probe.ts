import { alarmProbe } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { PROBES } from '../limits.ts';
import { probeChannel } from '../service/probe.ts';

export const alarmProbeRoute = (context: ServiceContext): Route =>
  route(alarmProbe, async (call) => {
    const { mandant } = call.principal;
    await context.throttle.countErrand(PROBES, mandant, call.request.ip);
    return probeChannel(context, mandant, akteurOf(call), call.body.kanal);
  });
