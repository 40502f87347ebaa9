/**
 * Reference rates of the European Central Bank as it publishes them: the series of its data portal (`TIME_PERIOD`, `OBS_VALUE`), or its
 * tables of all currencies (`Date`, `USD`, …), of a day, of 90 or of all, as CSV or packed as ZIP.
 */
import { Decimal } from 'decimal.js';
import { fromBuffer } from 'yauzl';
import type { Sentence } from '#kernel/sentence.ts';
import type { OwnerTransaction } from '#platform/database/owner-database.ts';

export interface ReferenceRate {
  tag: string;
  /** EUR for one USD, ten decimals. */
  usdEur: string;
}

/** The bytes are no reference rates; the message is the German sentence. */
export class BadRates extends Error {
  readonly sentence: Sentence;

  constructor(sentence: Sentence) {
    super(sentence.de);
    this.sentence = sentence;
  }
}

/** The names of the two columns, in either form. */
const FORMS = [
  { day: 'TIME_PERIOD', value: 'OBS_VALUE' },
  { day: 'Date', value: 'USD' },
];
/** A rate that the dollar never came near is one of something else. */
const PLAUSIBLE = { least: '0.4', most: '4' };

/** Of a day, `26 November 2026` in the table of one. */
function toDay(text: string): string | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  const spoken = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text);
  const at = spoken ? Date.parse(`${text} UTC`) : Number.NaN;
  return Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10);
}

const toRate = (usdPerEur: string) =>
  new Decimal(1).div(usdPerEur).toDecimalPlaces(10, Decimal.ROUND_HALF_EVEN).toFixed();

/** Reads the CSV; days without an observation are left out. Throws `BadRates` when the columns are not the known ones. */
export function parseRates(csv: string): ReferenceRate[] {
  const [head = '', ...lines] = csv.trim().split(/\r?\n/);
  const columns = head.split(',').map((name) => name.trim());
  const form = FORMS.find(({ day, value }) => columns.includes(day) && columns.includes(value));
  if (!form)
    throw new BadRates({
      de: 'Das sind keine Referenzkurse in der bekannten Form.',
      en: 'These are no reference rates in a known form.',
    });
  const [day, value] = [columns.indexOf(form.day), columns.indexOf(form.value)];
  return lines.flatMap((line) => {
    const cells = line.split(',').map((cell) => cell.trim());
    const tag = toDay(cells[day] ?? '');
    const usdPerEur = cells[value] ?? '';
    if (tag === null || !/^\d+(\.\d+)?$/.test(usdPerEur) || Number(usdPerEur) === 0) return [];
    return [{ tag, usdEur: toRate(usdPerEur) }];
  });
}

/** Ten times the whole history. */
export const MAX_RATES_BYTES = 4 * 2 ** 20;

const isZip = (bytes: Buffer) => bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'));

/** The only file of an archive. Throws `BadRates` where it is larger than the rates ever are, or none. */
const unpacked = (bytes: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const refuse = () =>
      reject(
        new BadRates({
          de: 'Das Archiv lässt sich nicht lesen.',
          en: 'The archive cannot be read.',
        }),
      );
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error || !zip) return refuse();
      zip.on('error', refuse);
      zip.on('end', refuse);
      zip.on('entry', (entry: { fileName: string; uncompressedSize: number }) => {
        if (!entry.fileName.endsWith('.csv')) return zip.readEntry();
        if (entry.uncompressedSize > MAX_RATES_BYTES) return refuse();
        zip.openReadStream(entry as never, (fault, stream) => {
          if (fault || !stream) return refuse();
          const chunks: Buffer[] = [];
          stream.on('data', (chunk: Buffer) => chunks.push(chunk));
          stream.on('error', refuse);
          stream.on('end', () => resolve(Buffer.concat(chunks)));
        });
      });
      zip.readEntry();
    });
  });

/** Throws `BadRates` for days ahead and for rates that are none of the dollar. */
function requirePlausible(rates: readonly ReferenceRate[], today: string): void {
  const ahead = rates.find(({ tag }) => tag > today);
  if (ahead)
    throw new BadRates({
      de: `Der Tag ${ahead.tag} liegt in der Zukunft.`,
      en: `The day ${ahead.tag} lies ahead.`,
    });
  const odd = rates.find(
    ({ usdEur }) => new Decimal(usdEur).lt(PLAUSIBLE.least) || new Decimal(usdEur).gt(PLAUSIBLE.most),
  );
  if (odd)
    throw new BadRates({
      de: `Für den ${odd.tag} steht kein Kurs des Dollars, wie es ihn je gab.`,
      en: `What stands for ${odd.tag} is no rate that the dollar ever had.`,
    });
}

/** The rates of a file. Throws `BadRates`. */
export async function readRatesFile(bytes: Buffer, now: Date): Promise<ReferenceRate[]> {
  const csv = isZip(bytes) ? await unpacked(bytes) : bytes;
  const rates = parseRates(csv.toString('utf8'));
  if (rates.length === 0)
    throw new BadRates({
      de: 'In der Datei steht kein Kurs des Dollars.',
      en: 'The file has no rate of the dollar.',
    });
  requirePlausible(rates, now.toISOString().slice(0, 10));
  return rates;
}

/** What became of rates that were offered. */
export interface TakenRates {
  /** Those that were not known before. */
  neu: number;
  /** The latest day that is known now. */
  bis: string;
  /** Days that are known with another rate, which stays. */
  abweichend: string[];
}

const days = (rates: readonly ReferenceRate[]) => [
  rates.map(({ tag }) => tag),
  rates.map(({ usdEur }) => usdEur),
];

// A published rate is never changed: costs already counted rest on it. In one statement, so that the first day stands for all.
const INSERT = `INSERT INTO wechselkurse (tag, usd_eur, quelle) SELECT tag, usd_eur, 'ezb'
  FROM unnest($1::date[], $2::numeric[]) AS neu (tag, usd_eur) ON CONFLICT (tag) DO NOTHING`;
const OTHERS = `SELECT k.tag::text AS tag FROM wechselkurse k
  JOIN unnest($1::date[], $2::numeric[]) AS neu (tag, usd_eur) USING (tag) WHERE k.usd_eur <> neu.usd_eur ORDER BY tag`;
const LATEST = "SELECT max(tag)::text AS tag FROM wechselkurse WHERE quelle = 'ezb'";

/** Takes the rates that are missing; what is known stays as it is. */
export async function takeRates(
  owner: Pick<OwnerTransaction, 'query'>,
  rates: readonly ReferenceRate[],
): Promise<TakenRates> {
  const values = days(rates);
  const others = await owner.query<{ tag: string }>(OTHERS, values);
  const { rowCount } = await owner.query(INSERT, values);
  const latest = await owner.query<{ tag: string }>(LATEST);
  return {
    neu: rowCount ?? 0,
    bis: latest.rows[0]?.tag ?? '',
    abweichend: others.rows.map(({ tag }) => tag),
  };
}
