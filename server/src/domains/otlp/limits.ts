/** How long and how much: what is told of one call comes in pieces. */

/** Milliseconds that a trace waits which came whole: packages tell of the same calls within a second, and are better sources. */
export const SOON = 1_000;

/** Milliseconds that another trace waits before its calls are made: exporters send children before what stands around them, every five seconds. */
export const HOLD = 6_000;

/** Hours for which what was told is kept: until then something that comes late changes what was counted. */
export const KEPT_HOURS = 24;

/** Traces that are looked at in one transaction, and those beside them in time. */
export const TRACES_AT_ONCE = 200;
export const NEIGHBOURS_AT_ONCE = 1_000;

/** How far two sightings of a call are apart at most, as SQL says it. */
export const NEIGHBOURHOOD = '10 seconds';
