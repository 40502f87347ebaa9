/** Reads a Mandant's accepted batches in order and turns them into counted events. Nothing is written here. */
import { setImmediate } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { type ExchangeRates, loadExchangeRates, type PriceList } from '#domains/preise/index.ts';
import { createLocalHours, type LocalHour } from '#kernel/local-hours.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { eventLine } from './copy-line.ts';
import { type EventIn, normalise, type Surroundings } from './normalise.ts';
import { createTotals, type Totals } from './totals.ts';

/** A stretch of the inbox, ready to be counted in one transaction. Of the events only what is written is kept. */
export interface Stretch {
  mandant: string;
  eingangIds: string[];
  /** Ids of the events; of equal ids within the stretch only the first. */
  ids: string[];
  /** The events in the form of COPY: made while the stretch before is being written. */
  copyData: Buffer[];
  totals: Totals;
  /** How many repeats were left out. */
  repeats: number;
  /** Batches whose bytes are no batch; they are in none of the other fields. */
  unreadable: { eingangId: string; reason: string }[];
  /** Where to read on. */
  lastId: string;
  /** The same stretch without events that were counted before. */
  without(known: ReadonlySet<string>): Stretch;
}

interface InboxRow {
  eingang_id: string;
  empfangen_am: string;
  projekt: string | null;
  daten: Buffer;
}

export interface InboxReader {
  /** The next stretch after `afterId`; null when there is none. */
  next(mandant: string, afterId: string): Promise<Stretch | null>;
  /** One batch alone; null when it is gone. */
  one(mandant: string, eingangId: string): Promise<Stretch | null>;
}

/** Smaller than every id. */
export const START = '00000000-0000-0000-0000-000000000000';

const MAX_BATCHES = 200;
/** A stretch ends with the batch that reaches this many events. */
const MAX_EVENTS = 5_000;
/** … or this many bytes: free data can make a single event megabytes, and memory is bounded. */
const MAX_BYTES = 8 * 1024 * 1024;
const RATES_KEPT = 60_000;
const MAX_ZONES = 200;

// The running sum is taken before the data are fetched, so that no more is read than is counted.
const NEXT_ROWS = `SELECT eingang_id, empfangen_am, projekt, daten FROM (
    SELECT *, sum(anzahl) OVER (ORDER BY eingang_id) - anzahl AS ereignisse_davor,
      sum(umfang) OVER (ORDER BY eingang_id) - umfang AS umfang_davor FROM (
      SELECT * FROM eingang WHERE mandant_id = $1 AND eingang_id > $2 ORDER BY eingang_id LIMIT ${MAX_BATCHES}) AS naechste
  ) AS gezaehlt WHERE ereignisse_davor < ${MAX_EVENTS} AND umfang_davor < ${MAX_BYTES} ORDER BY eingang_id`;
const ONE_ROW =
  'SELECT eingang_id, empfangen_am, projekt, daten FROM eingang WHERE mandant_id = $1 AND eingang_id = $2';

const parseEvents = (daten: Buffer): EventIn[] => {
  // TextDecoder skips a byte-order mark, which JSON.parse would refuse.
  const { ereignisse } = JSON.parse(new TextDecoder().decode(zstdDecompressSync(daten))) as {
    ereignisse?: EventIn[];
  };
  return ereignisse ?? [];
};

/** A batch with what its events are seen in. */
interface Batch {
  row: InboxRow;
  around: Surroundings;
}

/** Adds the events of one batch, but for those whose id is in `seen`. Throws before it changes anything. */
function addBatch(stretch: Stretch, seen: Set<string>, { row, around }: Batch): void {
  const counted = parseEvents(row.daten).map((sent) => normalise(sent, around));
  let lines = '';
  for (const event of counted) {
    if (seen.has(event.id)) {
      stretch.repeats += 1;
      continue;
    }
    seen.add(event.id);
    stretch.ids.push(event.id);
    stretch.totals.add(event);
    lines += eventLine(stretch.mandant, event);
  }
  stretch.copyData.push(Buffer.from(lines));
  stretch.eingangIds.push(row.eingang_id);
}

function emptyStretch(mandant: string, batches: Batch[]): Stretch {
  return {
    mandant,
    eingangIds: [],
    ids: [],
    copyData: [],
    totals: createTotals(),
    repeats: 0,
    unreadable: [],
    lastId: batches.at(-1)?.row.eingang_id ?? START,
    without(known) {
      const stretch = emptyStretch(mandant, batches);
      const seen = new Set(known);
      const readable = batches.filter(({ row }) => this.eingangIds.includes(row.eingang_id));
      for (const batch of readable) addBatch(stretch, seen, batch);
      return stretch;
    },
  };
}

export function createInboxReader(db: OwnerDatabase, prices: PriceList, substituteRate: string): InboxReader {
  const zones = new Map<string, (epochMs: number) => LocalHour>();
  let rates: ExchangeRates | null = null;
  let ratesUntil = 0;

  const currentRates = async (): Promise<ExchangeRates> => {
    if (!rates || Date.now() > ratesUntil) {
      rates = await loadExchangeRates(db, substituteRate);
      ratesUntil = Date.now() + RATES_KEPT;
    }
    return rates;
  };

  const localHours = (zone: string) => {
    const known = zones.get(zone) ?? createLocalHours(zone);
    if (zones.size >= MAX_ZONES) zones.clear();
    zones.set(zone, known);
    return known;
  };

  const readMandant = async (mandant: string) => {
    const [zone, chosen] = await Promise.all([
      db.query<{ zeitzone: string }>('SELECT zeitzone FROM mandanten WHERE mandant_id = $1', [mandant]),
      db.query<{ schluessel: string; projekt: string }>(
        'SELECT schluessel, projekt FROM agenten WHERE mandant_id = $1 AND projekt_fest',
        [mandant],
      ),
    ]);
    return {
      localHour: localHours(zone.rows[0]?.zeitzone ?? 'UTC'),
      agentProjekte: new Map(chosen.rows.map((row) => [row.schluessel, row.projekt])),
    };
  };

  const toStretch = async (mandant: string, rows: InboxRow[]): Promise<Stretch | null> => {
    if (rows.length === 0) return null;
    const [known, ratesNow] = await Promise.all([readMandant(mandant), currentRates()]);
    const common = { ...known, prices, rates: ratesNow };
    const batches = rows.map((row) => ({
      row,
      around: { ...common, empfangenAm: row.empfangen_am, schluesselProjekt: row.projekt },
    }));
    const stretch = emptyStretch(mandant, batches);
    const seen = new Set<string>();
    for (const batch of batches) {
      try {
        addBatch(stretch, seen, batch);
      } catch (error) {
        stretch.unreadable.push({ eingangId: batch.row.eingang_id, reason: String(error) });
      }
      // The stretch before is on its way to the database over this same thread: let its data move on.
      await setImmediate();
    }
    return stretch;
  };

  return {
    next: async (mandant, afterId) =>
      toStretch(mandant, (await db.query<InboxRow>(NEXT_ROWS, [mandant, afterId])).rows),
    one: async (mandant, eingangId) =>
      toStretch(mandant, (await db.query<InboxRow>(ONE_ROW, [mandant, eingangId])).rows),
  };
}
