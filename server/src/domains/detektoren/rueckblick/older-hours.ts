/** Hours whose sums are removed, of a look back: made of the calls, for each rule once. */
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { hourStart, nextHour } from '#kernel/zeitraum.ts';
import type { Sums } from '../sums/period.ts';

/** Hours that are remembered: each takes some hundred bytes. */
const REMEMBERED = 100_000;

interface Series {
  /** From when on, in milliseconds since 1970. */
  von: number;
  hours: Sums[];
}

interface Whose {
  /** As the owner. */
  client: Pick<pg.ClientBase, 'query'>;
  mandant: string;
  zone: string;
}

const KEPT = `SELECT z.stunden_ab, a.ereignisse_ab FROM zaehlstaende z CROSS JOIN aufbewahrung a WHERE z.mandant_id = $1`;

export class OlderHours {
  /** When the first hour begins that sums have. */
  readonly until: Temporal.Instant;
  /** From when on calls or sums are there; null: all are. */
  readonly knownFrom: Temporal.Instant | null;
  readonly #read = new LRUCache<string, Series>({
    maxSize: REMEMBERED,
    sizeCalculation: ({ hours }) => hours.length + 1,
  });

  private constructor(until: Temporal.Instant, eventsFrom: Temporal.Instant | null) {
    this.until = until;
    this.knownFrom = eventsFrom && Temporal.Instant.compare(eventsFrom, until) > 0 ? until : eventsFrom;
  }

  /** Undefined where the Mandant's sums have all hours; those of the day `before`, if nothing has been removed since. */
  static async of({ client, mandant, zone }: Whose, before?: OlderHours): Promise<OlderHours | undefined> {
    const { rows } = await client.query<{ stunden_ab: string | null; ereignisse_ab: string | null }>(KEPT, [
      mandant,
    ]);
    const { stunden_ab, ereignisse_ab } = rows[0] ?? {};
    if (!stunden_ab) return undefined;
    const since = Temporal.Instant.from(stunden_ab).toZonedDateTimeISO(zone);
    const until = (hourStart(since).equals(since) ? since : nextHour(since)).toInstant();
    if (before?.until.equals(until)) return before;
    return new OlderHours(until, ereignisse_ab ? Temporal.Instant.from(ereignisse_ab) : null);
  }

  /** Whether some of what begins there is older. */
  reach(von: Temporal.Instant): boolean {
    return Temporal.Instant.compare(von, this.until) < 0;
  }

  /** Those of one series from `von` to before `bis`; `load` has them from an instant on. Later days of a look back ask for later ones. */
  async hours(
    key: string,
    { von, bis }: { von: Temporal.Instant; bis: Temporal.Instant },
    load: (von: Temporal.Instant) => Promise<Sums[]>,
  ): Promise<Sums[]> {
    let series = this.#read.get(key);
    if (!series || series.von > von.epochMilliseconds) {
      series = { von: von.epochMilliseconds, hours: await load(von) };
      this.#read.set(key, series);
    }
    return series.hours.filter(({ beginn }) => {
      const at = Date.parse(beginn);
      return at >= von.epochMilliseconds && at < bis.epochMilliseconds;
    });
  }
}
