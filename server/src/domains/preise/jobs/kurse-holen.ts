import { Decimal } from 'decimal.js';
import { request } from 'undici';
import { type JobContext, onSchedule } from '#jobs/index.ts';

/**
 * The ECB's daily euro foreign exchange reference rates: US dollars for one euro, as CSV with the columns
 * TIME_PERIOD and OBS_VALUE (ECB Data Portal, series EXR.D.USD.EUR.SP00.A).
 */
const ECB_SERIES =
  'https://data-api.ecb.europa.eu/service/data/EXR/D.USD.EUR.SP00.A?format=csvdata&detail=dataonly&lastNObservations=60';

export interface ReferenceRate {
  tag: string;
  /** EUR for one USD, ten decimals. */
  usdEur: string;
}

/** Reads the CSV; days without an observation are left out. Throws when the columns are not the known ones. */
export function parseRates(csv: string): ReferenceRate[] {
  const [head = '', ...lines] = csv.trim().split(/\r?\n/);
  const columns = head.split(',');
  const day = columns.indexOf('TIME_PERIOD');
  const value = columns.indexOf('OBS_VALUE');
  if (day < 0 || value < 0) throw new Error('the rates are not in the known form');
  return lines.flatMap((line) => {
    const cells = line.split(',');
    const [tag, usdPerEur] = [cells[day] ?? '', cells[value] ?? ''];
    if (!/^\d{4}-\d{2}-\d{2}$/.test(tag) || !/^\d+(\.\d+)?$/.test(usdPerEur) || Number(usdPerEur) === 0)
      return [];
    return [
      { tag, usdEur: new Decimal(1).div(usdPerEur).toDecimalPlaces(10, Decimal.ROUND_HALF_EVEN).toFixed() },
    ];
  });
}

/** Fetches the latest reference rates daily, after their publication at about 16:00 Central European Time. */
export const kurseHolenJob = ({ owner, log }: Pick<JobContext, 'owner' | 'log'>, url: string = ECB_SERIES) =>
  onSchedule({
    id: 'preise.kurse_holen',
    cron: '20 16 * * *',
    atStart: true,
    async run() {
      let csv: string;
      try {
        const answer = await request(url, { headersTimeout: 10_000, bodyTimeout: 10_000 });
        if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`);
        csv = await answer.body.text();
      } catch (error) {
        // Many installations have no way out; the substitute rate stands in and the next day tries again.
        log.warn({ err: error }, 'reference rates could not be fetched');
        return { geholt: 0 };
      }
      const rates = parseRates(csv);
      // A published rate is never changed: costs already counted rest on it.
      await owner.query(
        `INSERT INTO wechselkurse (tag, usd_eur, quelle) SELECT tag, usd_eur, 'ezb'
         FROM unnest($1::date[], $2::numeric[]) AS neu (tag, usd_eur) ON CONFLICT (tag) DO NOTHING`,
        [rates.map((rate) => rate.tag), rates.map((rate) => rate.usdEur)],
      );
      return { geholt: rates.length };
    },
  });
