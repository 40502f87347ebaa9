/** For who stands between callers and providers: what the connections with libraries are made of, and what they know of addresses. */
export { type Client, createClient as createSender } from './client.ts';
export { RunContext, type RunOptions, type Scope } from './context/run.ts';
export { InterventionsUnknown, LimitReached, StoppedByIntervention } from './eingriffe/errors.ts';
export { runIdOf } from './run-id.ts';
export { mayBeCall } from './to-events.ts';
export { TELLING_HEADERS } from './wrap/named-in-headers.ts';
export { type End, type ObservedExchange, Observer } from './wrap/observer.ts';
export { SeenRequest } from './wrap/seen-request.ts';
export { isStream, lastBytes, type Reason } from './wrap/stopped-stream.ts';
export { bodyThatAsks, CountsOut } from './wrap/usage-asked.ts';
