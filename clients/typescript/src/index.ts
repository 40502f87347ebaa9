export { type Client, type ClientOptions, type ClientStats, createClient, type Recorded } from './client.ts';
export type { Vorhaben } from './eingriffe/decide.ts';
export type { Eingriff } from './eingriffe/eingriff.ts';
export { InterventionsUnknown, StoppedByIntervention } from './eingriffe/errors.ts';
export type { Ask, GuardOptions, GuardState } from './eingriffe/guard.ts';
export type { Ereignis, Exchange } from './event.ts';
export { type Conversion, toEvents } from './to-events.ts';
