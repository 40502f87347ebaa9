/** Says how far the fill is: one line that is rewritten on a terminal, a plain line every few seconds elsewhere. */

export interface ProgressTarget {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

export interface Progress {
  /** `share` is what of the work is done, 0 to 1; `events` how many events that is. */
  update(events: number, share: number): void;
  /** Leaves a last line behind. */
  finish(text: string): void;
}

const TERMINAL_PAUSE_MS = 100;
const PLAIN_PAUSE_MS = 5_000;
/** Before this much time has passed, nothing sensible can be said about the rest. */
const WARM_UP_MS = 1_500;
const BAR = 24;
const CLEAR_LINE = '\r\x1b[2K';

const number = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 0 });
const percent = new Intl.NumberFormat('de-DE', { style: 'percent', maximumFractionDigits: 0 });

/** Milliseconds as `m:ss`. */
function clock(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const bar = (share: number): string => {
  const full = Math.round(share * BAR);
  return '█'.repeat(full) + '░'.repeat(BAR - full);
};

/** Number of events in German: `201.345`. */
export const formatCount = (events: number): string => number.format(events);

interface Start {
  at: number;
  events: number;
  share: number;
}

/** `now` gives milliseconds. */
export function createProgress(
  target: ProgressTarget = process.stdout,
  now: () => number = () => performance.now(),
): Progress {
  const isTerminal = target.isTTY === true;
  let lastShown = isTerminal ? Number.NEGATIVE_INFINITY : now();
  /** What was done when the first update came: a fill that goes on does not begin with nothing. */
  let start: Start | null = null;

  const lineOf = (start: Start, events: number, share: number): string => {
    const elapsed = now() - start.at;
    const [gained, gainedShare] = [events - start.events, share - start.share];
    const known = elapsed >= WARM_UP_MS && gainedShare > 0;
    const parts = [
      `${number.format(events)} Aufrufe`,
      percent.format(Math.min(share, 0.99)),
      ...(known ? [`${number.format((gained / elapsed) * 1_000)}/s`] : []),
      ...(known ? [`noch ${clock((elapsed / gainedShare) * (1 - share))}`] : []),
    ];
    return parts.join(' · ');
  };

  return {
    update(events, share) {
      start ??= { at: now(), events, share };
      if (now() - lastShown < (isTerminal ? TERMINAL_PAUSE_MS : PLAIN_PAUSE_MS)) return;
      lastShown = now();
      const line = lineOf(start, events, share);
      if (!isTerminal) target.write(`${line}\n`);
      // Longer than the window, it would break and could not be rewritten.
      else target.write(CLEAR_LINE + `${bar(share)}  ${line}`.slice(0, (target.columns ?? 80) - 1));
    },
    finish(text) {
      target.write(`${isTerminal ? CLEAR_LINE : ''}${text}\n`);
    },
  };
}
