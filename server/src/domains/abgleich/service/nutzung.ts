/** The file of a provider beside what was counted. */
import { MAX_NUTZUNG, type nutzungVergleichen, type ResponseOf } from '#contracts';
import { consumptionByEngine, withSnapshot } from '#domains/verbrauch/index.ts';
import { requireMonth } from '#domains/weiterbelastung/index.ts';
import { toCount } from '#kernel/count.ts';
import { InvalidInput } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { meet } from '../nutzung/meet.ts';
import type { UsageFile } from '../nutzung/read.ts';
import type { ModelSum } from '../nutzung/sum.ts';
import { Exact } from '../rules.ts';
import { byName, utcWindow } from './months.ts';

type Answer = ResponseOf<typeof nutzungVergleichen>;
type Row = Answer['zeilen'][number];
/** By the name of the model; empty for calls without one. */
type Counted = ReadonlyMap<string, NonNullable<Row['gezaehlt']>>;

const whole = (value: bigint | null) => value?.toString() ?? null;

const fileOf = (sum: ModelSum): NonNullable<Row['datei']> => ({
  aufrufe: whole(sum.aufrufe),
  eingabe_token: whole(sum.eingabe_token),
  ausgabe_token: whole(sum.ausgabe_token),
  betrag: sum.betrag,
  waehrung: sum.waehrung,
});

const differenceOf = (datei: Row['datei'], gezaehlt: Row['gezaehlt']): string | null => {
  if (datei?.betrag == null || datei.waehrung !== 'USD') return null;
  const counted = gezaehlt ? gezaehlt.kosten_usd : '0';
  return counted === null ? null : new Exact(datei.betrag).minus(counted).toString();
};

const minus = (amount: string | null) => (amount === null ? null : new Exact(amount).negated().toString());

const tooManyModels = () =>
  new InvalidInput({
    path: ['csv'],
    reason: {
      de: `Datei und Monat haben zusammen mehr als ${MAX_NUTZUNG} Modelle`,
      en: `file and month have more than ${MAX_NUTZUNG} models together`,
    },
  });

const noMonth = (monat: string) =>
  new InvalidInput({
    path: ['monat'],
    input: monat,
    reason: {
      de: 'in dieser Zeitzone beginnen Stunden nicht mit denen in UTC; der Monat lässt sich nicht vergleichen',
      en: 'hours of this time zone do not begin with those in UTC; the month cannot be compared',
    },
  });

/** What the file says beside what was counted, then what the file does not have; not yet in order. */
function rowsOf(sums: ModelSum[], counted: Counted, art: Answer['art']): Row[] {
  const named = new Set(sums.flatMap(({ modell }) => modell ?? []));
  const met = meet(named, new Set(counted.keys()));
  // One line for a model and currency: two currencies of a model are two lines.
  const rows = sums.map((sum): Row => {
    const datei = fileOf(sum);
    const gezaehlt_als = (sum.modell !== null && met.get(sum.modell)) || null;
    const name = gezaehlt_als ?? sum.modell;
    const gezaehlt = (name !== null && counted.get(name)) || null;
    return {
      modell: sum.modell,
      gezaehlt_als,
      datei,
      gezaehlt,
      differenz_usd: differenceOf(datei, gezaehlt),
    };
  });
  const shown = new Set([...named, ...met.values()]);
  for (const [modell, gezaehlt] of counted)
    if (!shown.has(modell)) {
      // A file of costs that does not have the model charges nothing for it.
      const differenz_usd = art === 'kosten' ? minus(gezaehlt.kosten_usd) : null;
      rows.push({ modell: modell || null, gezaehlt_als: null, datei: null, gezaehlt, differenz_usd });
    }
  return rows;
}

/** What a provider's file says of a month. */
type UsageOfMonth = Omit<UsageFile, 'zeilen'> & {
  monat: string;
  sums: ModelSum[];
  /** Lines of other months. */
  andere_monate: number;
};

/** Throws InvalidInput for a month that cannot be, or more models than an answer holds. */
export function compareUsage(
  context: Pick<ServiceContext, 'db' | 'clock' | 'config' | 'log'>,
  mandant: MandantId,
  { monat, sums, ...file }: UsageOfMonth,
): Promise<Answer> {
  requireMonth(monat, context.clock.now().toTemporalInstant(), 'UTC');
  return withSnapshot(context, mandant, async ({ tx, engine, zone }) => {
    const window = utcWindow(monat, zone);
    if (!window) throw noMonth(monat);
    const where = [{ dimension: 'anbieter' as const, values: [file.anbieter] }];
    const { zeilen } = await consumptionByEngine(engine, tx, { window, by: ['modell'], where });
    const counted: Counted = new Map(
      zeilen.map((row): [string, NonNullable<Row['gezaehlt']>] => [
        row.schluessel[0] as string,
        {
          aufrufe: toCount(row.aufrufe),
          unbepreist: toCount(row.unbepreist),
          eingabe_token: row.eingabe_token ?? '0',
          ausgabe_token: row.ausgabe_token ?? '0',
          kosten_usd: row.kosten_usd,
        },
      ]),
    );
    const rows = rowsOf(sums, counted, file.art);
    if (rows.length > MAX_NUTZUNG) throw tooManyModels();
    return {
      anbieter: file.anbieter,
      art: file.art,
      monat,
      andere_monate: file.andere_monate,
      zeilen: rows.sort((a, b) => byName(a.modell ?? '', b.modell ?? '')),
    };
  });
}
