import { request } from 'undici';
import { type JobContext, onSchedule } from '#jobs/index.ts';
import { MAX_RATES_BYTES, parseRates, takeRates } from '../owner/reference-rates.ts';

/**
 * The ECB's daily euro foreign exchange reference rates: US dollars for one euro, as CSV with the columns
 * TIME_PERIOD and OBS_VALUE (ECB Data Portal, series EXR.D.USD.EUR.SP00.A). All of it is some 7,000 lines, not packed.
 */
const ECB_SERIES =
  'https://data-api.ecb.europa.eu/service/data/EXR/D.USD.EUR.SP00.A?format=csvdata&detail=dataonly';
/** The day of the first reference rate there is. */
const FIRST_DAY = '1999-01-04';
/** More days than were ever without a rate, holidays included. */
const LONGEST_PAUSE = 7;
const MAX_MS = 60_000;

/** The last day up to which no rate is missing; null when the first one is. */
const KNOWN_UNTIL = `SELECT min(k.tag) AS tag FROM wechselkurse k
  LEFT JOIN LATERAL (SELECT n.tag FROM wechselkurse n WHERE n.tag > k.tag ORDER BY n.tag LIMIT 1) danach ON true
  WHERE (danach.tag IS NULL OR danach.tag - k.tag > ${LONGEST_PAUSE})
    AND EXISTS (SELECT FROM wechselkurse WHERE tag = '${FIRST_DAY}')`;

/** The text at an address. Throws when there is none, or it is larger or slower than the rates ever are. */
async function fetchText(url: URL): Promise<string> {
  const signal = AbortSignal.timeout(MAX_MS);
  const answer = await request(url, { headersTimeout: 10_000, bodyTimeout: 10_000, signal });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_RATES_BYTES) throw new Error(`more than ${MAX_RATES_BYTES} bytes`);
    chunks.push(chunk);
  }
  if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Fetches the reference rates that are missing: the whole history as long as its beginning is, then what follows the last day
 * up to which there is no gap. Daily, after their publication at about 16:00 Central European Time.
 */
export const kurseHolenJob = (
  { owner, log }: Pick<JobContext, 'owner' | 'log'>,
  series: string = ECB_SERIES,
) =>
  onSchedule({
    id: 'preise.kurse_holen',
    cron: '20 16 * * *',
    atStart: true,
    async run() {
      const known = await owner.query<{ tag: string | null }>(KNOWN_UNTIL);
      const since = known.rows[0]?.tag;
      const url = new URL(series);
      if (since) url.searchParams.set('startPeriod', since);
      let csv: string;
      try {
        csv = await fetchText(url);
      } catch (error) {
        // Many installations have no way out; the substitute rate stands in and the next day tries again.
        log.warn({ err: error }, 'reference rates could not be fetched');
        return { geholt: 0 };
      }
      return { geholt: (await takeRates(owner, parseRates(csv))).neu };
    },
  });
