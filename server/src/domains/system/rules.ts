/** What the public status says about the state of the parts. */
import type { ResponseOf, status } from '#contracts';
import type { Trouble } from '#domains/ereignisse/index.ts';
import type { Room } from './disk.ts';

type Status = ResponseOf<typeof status>;
type Part = Status['komponenten'][number];

/** Seconds the oldest uncounted batch has waited, and how many batches cannot be counted. */
export interface Backlog {
  seconds: number;
  uncountable: number;
  /** Seconds the database's clock is ahead of ours, beyond what the way there and back explains. */
  skew: number;
}

/** What was found out about the parts. */
export interface Findings {
  /** Null: the database did not answer. */
  backlog: Backlog | null;
  trouble: Trouble;
  /** Seconds since a batch was last refused for reasons of ours; null for never. */
  sinceRefusal: number | null;
  /** Null: not known. */
  room: Room | null;
  /** Seconds since the wall clock jumped; null for never. */
  sinceJump: number | null;
}

/** Counting normally keeps up within a second or two; a minute behind is worth saying. */
const MAX_BACKLOG_SECONDS = 60;
/** Whoever was refused tries again meanwhile; after this long without another refusal it is over. */
const REFUSAL_SHOWS_SECONDS = 60;
/** A jump may have been a correction; whoever looks for the reason of odd times should still see it. */
const JUMP_SHOWS_SECONDS = 300;
/** Clocks that somebody keeps differ by less. */
const MAX_SKEW_SECONDS = 5;
/** What the database's log of changes may grow by under load, or a tenth of a small disk. */
const ENOUGH_BYTES = 5 * 2 ** 30;
const ENOUGH_SHARE = 0.1;

const isScarce = ({ free, size }: Room): boolean => free < Math.min(ENOUGH_BYTES, size * ENOUGH_SHARE);
const isRecent = (seconds: number | null, within: number): boolean => seconds !== null && seconds < within;

/** `broken` outweighs `limited`. */
const part = (name: Part['name'], broken: boolean, limited: boolean): Part => ({
  name,
  status: broken ? 'gestört' : limited ? 'eingeschränkt' : 'ok',
});

function partsOf({ backlog, trouble, sinceRefusal, room, sinceJump }: Findings): Part[] {
  const isAway = backlog === null;
  const { seconds, uncountable, skew } = backlog ?? { seconds: 0, uncountable: 0, skew: 0 };
  return [
    part('datenbank', isAway, false),
    part('annahme', isAway || trouble !== null, isRecent(sinceRefusal, REFUSAL_SHOWS_SECONDS)),
    part('zaehlung', isAway, seconds > MAX_BACKLOG_SECONDS || uncountable > 0),
    part('speicherplatz', trouble === 'disk-full', room !== null && isScarce(room)),
    part('uhr', false, Math.abs(skew) > MAX_SKEW_SECONDS || isRecent(sinceJump, JUMP_SHOWS_SECONDS)),
  ];
}

const WORST_FIRST = ['gestört', 'eingeschränkt'] as const;

/** The state of all parts, and the worst of them. */
export function assess(findings: Findings): Pick<Status, 'status' | 'komponenten' | 'rueckstand_sekunden'> {
  const komponenten = partsOf(findings);
  const worst = WORST_FIRST.find((state) => komponenten.some(({ status }) => status === state));
  const { backlog } = findings;
  return {
    status: worst ?? 'betriebsbereit',
    komponenten,
    // Senders' and database's clocks may differ by a moment.
    rueckstand_sekunden: backlog && Math.max(0, Math.floor(backlog.seconds)),
  };
}
