/** How much is too much. */

/** Blocks of a Mandant that may be open at a time: all of them are looked through with every request. */
export const MAX_OPEN = 10_000;
/** Wishes that are decided in one transaction. */
export const MAX_TOGETHER = 1_000;
/** No block takes more than one part in this many of the room that is left, unless a single call needs it. */
export const SHARE = 8n;
/** What the exchange rate may change by until the call is counted, in percent. */
export const RATE_MARGIN = 2n;
