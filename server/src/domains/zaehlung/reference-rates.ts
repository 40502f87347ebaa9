/**
 * Calls that were converted at the substitute get the reference rate of their day once that is known, where their Mandant allows
 * it. Their cost in USD stays.
 */
import { type ExchangeRates, loadExchangeRates } from '#domains/preise/index.ts';
import { forEveryMandant, type JobContext, type Selected } from '#jobs/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { CHANGES_UNTIL, changeCalls, lockCounting } from './change-calls.ts';
import { COUNTED_ROW, type CountedRow } from './counted-row.ts';
import { giveWay } from './give-way.ts';

/** A local day with calls that were converted at the substitute. */
interface Day extends Selected {
  zeitzone: string;
  tag: string;
}

const PER_TRANSACTION = 2_000;

// What is billed keeps its rate: a month that is closed is not in here.
const DAYS = `SELECT DISTINCT v.mandant_id, m.zeitzone, (v.stunde AT TIME ZONE m.zeitzone)::date AS tag
  FROM verbrauch_kurs v JOIN mandanten m USING (mandant_id)
  WHERE v.ersatz_aufrufe > 0 AND m.ersatzkurs_ersetzen AND NOT EXISTS (SELECT FROM abrechnungsmonate a
    WHERE a.mandant_id = v.mandant_id AND a.monat = date_trunc('month', v.stunde AT TIME ZONE m.zeitzone)::date)
    AND (v.stunde AT TIME ZONE m.zeitzone)::date > coalesce(${CHANGES_UNTIL}, '-infinity')
  ORDER BY 1, 3`;

const SUBSTITUTED = `SELECT ${COUNTED_ROW}
  FROM ereignisse
  WHERE mandant_id = $1 AND zeitpunkt >= $2::date::timestamp AT TIME ZONE $3
    AND zeitpunkt < ($2::date + 1)::timestamp AT TIME ZONE $3 AND ersatzkurs
  ORDER BY zeitpunkt, ereignis_id LIMIT ${PER_TRANSACTION}`;

// Asked anew in each transaction: who takes the permission back is obeyed at once.
const ALLOWED = 'SELECT FROM mandanten WHERE mandant_id = $1 AND ersatzkurs_ersetzen';

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
      const { rows } = await client.query<CountedRow>(SUBSTITUTED, [day.mandant_id, day.tag, day.zeitzone]);
      const changes = rows.map((row) => ({ row, now: { kurs: rate } }));
      await changeCalls(client, day.mandant_id, stand, changes);
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
