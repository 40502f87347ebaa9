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

/** The state of all parts; `backlog` null says that the database did not answer. */
export function assess(
  backlog: Backlog | null,
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
  const behind = backlog.seconds > MAX_BACKLOG_SECONDS || backlog.uncountable > 0;
  return {
    status: behind ? 'eingeschränkt' : 'betriebsbereit',
    komponenten: [
      { name: 'datenbank', status: 'ok' },
      { name: 'annahme', status: 'ok' },
      { name: 'zaehlung', status: behind ? 'eingeschränkt' : 'ok' },
    ],
    // Senders' and database's clocks may differ by a moment.
    rueckstand_sekunden: Math.max(0, Math.floor(backlog.seconds)),
  };
}
