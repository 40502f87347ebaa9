export { type Client, type ClientOptions, type ClientStats, createClient } from './client.ts';
export type { Ereignis, Exchange } from './event.ts';
export { eventsOfRecordings } from './recordings.ts';
export { summaryOf } from './replay-table.ts';
export { toEvent } from './to-event.ts';
