/** What the public status says about the state of the parts. */
import type { ResponseOf, status } from '#contracts';

type Status = ResponseOf<typeof status>;

/** Seconds the oldest uncounted batch has waited, and how many batches cannot be counted. */
export interface Backlog {
  seconds: number;
  uncountable: number;
}

/** Counting normally keeps up within a second or two; a minute behind is worth saying. */
const MAX_BACKLOG_SECONDS = 60;

/** Whoever was refused tries again meanwhile; after this long without another refusal it is over. */
const REFUSAL_SHOWS_SECONDS = 60;

type Part = Status['komponenten'][number];

/**
 * The state of all parts. `backlog` null says that the database did not answer; `sinceRefusal` is how many seconds ago a
 * batch was last refused for reasons of ours, null for never.
 */
export function assess(
  backlog: Backlog | null,
  sinceRefusal: number | null,
): Pick<Status, 'status' | 'komponenten' | 'rueckstand_sekunden'> {
  if (!backlog) {
    return {
      status: 'gestört',
      komponenten: [
        { name: 'datenbank', status: 'gestört' },
        { name: 'annahme', status: 'gestört' },
        { name: 'zaehlung', status: 'gestört' },
      ],
      rueckstand_sekunden: null,
    };
  }
  const refuses = sinceRefusal !== null && sinceRefusal < REFUSAL_SHOWS_SECONDS;
  const isBehind = backlog.seconds > MAX_BACKLOG_SECONDS || backlog.uncountable > 0;
  const part = (name: Part['name'], limited: boolean): Part => ({
    name,
    status: limited ? 'eingeschränkt' : 'ok',
  });
  return {
    status: refuses || isBehind ? 'eingeschränkt' : 'betriebsbereit',
    komponenten: [part('datenbank', false), part('annahme', refuses), part('zaehlung', isBehind)],
    // Senders' and database's clocks may differ by a moment.
    rueckstand_sekunden: Math.max(0, Math.floor(backlog.seconds)),
  };
}
