/**
 * Calls that were converted at the substitute get the reference rate of their day once that is known, where their Mandant allows
 * it: event, sums, rates and run change in one transaction under the Mandant's counting lock. Their cost in USD stays.
 */
import type pg from 'pg';
import { type ExchangeRate, type ExchangeRates, loadExchangeRates } from '#domains/preise/index.ts';
import { forEveryMandant, type JobContext, type Selected } from '#jobs/index.ts';
import { createLocalHours, type LocalHour } from '#kernel/local-hours.ts';
import { rateFrom, scaledFrom, toEur, USD_SCALE, type Usd } from '#kernel/money.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import {
  addDifferences,
  CHANGES_UNTIL,
  type ChangedEvent,
  COUNTED_ROW,
  type CountedRow,
  eventOf,
  isBurnt,
  lockCounting,
  type Stand,
} from './differences.ts';
import { giveWay } from './give-way.ts';
import { costOfKey } from './key-sums.ts';
import { cost } from './runs.ts';
import { RATE_REPLACED } from './sums/figures.ts';

/** A local day with calls that were converted at the substitute. */
interface Day extends Selected {
  zeitzone: string;
  tag: string;
}

interface SubstitutedRow extends CountedRow {
  wiederholung: boolean;
  teilbepreist: boolean;
  kosten_usd: string | null;
}

const PER_TRANSACTION = 2_000;

// What is billed keeps its rate: a month that is closed is not in here.
const DAYS = `SELECT DISTINCT v.mandant_id, m.zeitzone, (v.stunde AT TIME ZONE m.zeitzone)::date AS tag
  FROM verbrauch_kurs v JOIN mandanten m USING (mandant_id)
  WHERE v.ersatz_aufrufe > 0 AND m.ersatzkurs_ersetzen AND NOT EXISTS (SELECT FROM abrechnungsmonate a
    WHERE a.mandant_id = v.mandant_id AND a.monat = date_trunc('month', v.stunde AT TIME ZONE m.zeitzone)::date)
    AND (v.stunde AT TIME ZONE m.zeitzone)::date > coalesce(${CHANGES_UNTIL}, '-infinity')
  ORDER BY 1, 3`;

const SUBSTITUTED = `SELECT ${COUNTED_ROW}, wiederholung, teilbepreist, trim_scale(kosten_usd)::text AS kosten_usd
  FROM ereignisse
  WHERE mandant_id = $1 AND zeitpunkt >= $2::date::timestamp AT TIME ZONE $3
    AND zeitpunkt < ($2::date + 1)::timestamp AT TIME ZONE $3 AND ersatzkurs
  ORDER BY zeitpunkt, ereignis_id LIMIT ${PER_TRANSACTION}`;

// Asked anew in each transaction: who takes the permission back is obeyed at once.
const ALLOWED = 'SELECT FROM mandanten WHERE mandant_id = $1 AND ersatzkurs_ersetzen';

const REPLACE = `UPDATE ereignisse e SET kurs_usd_eur = $4::numeric, ersatzkurs = false
  FROM unnest($2::uuid[], $3::timestamptz[]) AS n (id, zeitpunkt)
  WHERE e.mandant_id = $1 AND e.zeitpunkt = n.zeitpunkt AND e.ereignis_id = n.id`;

const CLEAR =
  'DELETE FROM verbrauch_kurs WHERE mandant_id = $1 AND stunde = ANY($2::timestamptz[]) AND aufrufe = 0';

/** What the call was counted as, to be taken away, and what it is now. */
function change(
  row: SubstitutedRow,
  rate: ExchangeRate,
  localHour: (ms: number) => LocalHour,
): [taken: ChangedEvent, given: ChangedEvent] {
  const usd = row.kosten_usd === null ? null : (scaledFrom(row.kosten_usd, USD_SCALE) as Usd);
  const before = rateFrom(row.kurs_usd_eur);
  const same = {
    buckets: null,
    preisQuelle: null,
    teilbepreist: row.teilbepreist,
    failed: isBurnt(row),
  };
  const taken = usd === null ? null : (-usd as Usd);
  return [
    eventOf(row, localHour, { ...same, usd: taken, eur: taken === null ? null : toEur(taken, before) }),
    {
      ...eventOf(row, localHour, { ...same, usd, eur: usd === null ? null : toEur(usd, rate.scaled) }),
      kurs: rate,
    },
  ];
}

async function store(
  client: pg.PoolClient,
  { mandant_id: mandant, zeitzone }: Day,
  stand: Stand,
  rows: SubstitutedRow[],
  rate: ExchangeRate,
): Promise<void> {
  const ids = rows.map(({ ereignis_id }) => ereignis_id);
  const times = rows.map(({ zeitpunkt }) => zeitpunkt);
  await client.query(REPLACE, [mandant, ids, times, rate.text]);
  const localHour = createLocalHours(zeitzone);
  const events = rows.flatMap((row) => change(row, rate, localHour));
  const difference = { toSums: RATE_REPLACED, toRuns: cost, toKeys: costOfKey, rereads: true };
  await addDifferences(client, mandant, stand, events, difference);
  await client.query(CLEAR, [mandant, [...new Set(events.map(({ stunde }) => stunde))]]);
}

/** Replaces the substitute on a day, some calls at a time; resolves with how many. */
async function replaceDay(db: OwnerDatabase, rates: ExchangeRates, day: Day): Promise<number> {
  const rate = rates.final(day.tag);
  if (!rate) return 0;
  for (let replaced = 0; ; ) {
    await giveWay(db, day.mandant_id);
    const found = await db.transaction(async (client) => {
      const stand = await lockCounting(client, day.mandant_id);
      const allowed = stand && (await client.query(ALLOWED, [day.mandant_id])).rowCount;
      if (!allowed) return 0;
      const { rows } = await client.query<SubstitutedRow>(SUBSTITUTED, [
        day.mandant_id,
        day.tag,
        day.zeitzone,
      ]);
      if (rows.length > 0) await store(client, day, stand, rows, rate);
      return rows.length;
    });
    replaced += found;
    if (found < PER_TRANSACTION) return replaced;
  }
}

/**
 * Replaces the substitute on all days whose reference rate is final, of all Mandanten that allow it; resolves with the number of
 * calls. A day that fails does not keep the others. Safe to repeat.
 */
export async function applyReferenceRates({
  owner,
  log,
}: Pick<JobContext, 'owner' | 'log'>): Promise<number> {
  // The substitute never is a final rate, whatever it is.
  const rates = await loadExchangeRates(owner, { usdEur: '1', tag: null });
  const replaced = await forEveryMandant({ owner, log }, DAYS, (_, day: Day) =>
    replaceDay(owner, rates, day),
  );
  return replaced.reduce((sum, events) => sum + events, 0);
}
