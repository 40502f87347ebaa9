/** In which turns what waits is counted. No input or output here. */

/** What waits of one Mandant. */
export interface Waiting {
  mandant: string;
  ereignisse: number;
  /** Bytes, unpacked. */
  umfang: number;
}

/** Mandanten that are counted in one turn: one with much to count, or several with little. */
export interface Turn {
  mandanten: string[];
}

/** Up to this much is little: a transaction of its own would cost more than what it counts. */
const LITTLE_EVENTS = 500;
const LITTLE_BYTES = 512 * 1024;
/** Little of many is counted together up to this much: one that fails takes as many along to be counted again. */
const MOST_EVENTS = 5_000;
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_MANDANTEN = 500;

/** Turns in the order of what waits, which has waited longest first; `together`: whether several may be counted in one. */
export function planTurns(waiting: readonly Waiting[], together = true): Turn[] {
  const turns: Turn[] = [];
  let open: (Turn & Omit<Waiting, 'mandant'>) | null = null;
  for (const { mandant, ereignisse, umfang } of waiting) {
    if (!together || ereignisse > LITTLE_EVENTS || umfang > LITTLE_BYTES) {
      turns.push({ mandanten: [mandant] });
      continue;
    }
    const isFull =
      open !== null &&
      (open.ereignisse + ereignisse > MOST_EVENTS ||
        open.umfang + umfang > MOST_BYTES ||
        open.mandanten.length >= MOST_MANDANTEN);
    if (open === null || isFull) {
      open = { mandanten: [], ereignisse: 0, umfang: 0 };
      turns.push(open);
    }
    open.mandanten.push(mandant);
    open.ereignisse += ereignisse;
    open.umfang += umfang;
  }
  return turns;
}
