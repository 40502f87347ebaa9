/** What models cost now, as counting would price a usual call of them. */
import {
  BOOK_RATE_NAMES,
  BOOK_RATES,
  type BodyOf,
  type BookRateName,
  type preiseNachschlagen,
  type ResponseOf,
} from '#contracts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { type ModelRates, NO_FACTS, type PriceList } from '../price-list.ts';
import { inputKeys, outputKeys, priceOfRate, type Rate, type Rates } from '../rates.ts';
import { createPricesOf } from './prices-of.ts';

type Answer = ResponseOf<typeof preiseNachschlagen>['modelle'][number];
type Saetze = NonNullable<Answer['saetze']>;

/** Under which other keys the list states what the book has one for. */
const OTHER_KEYS: Partial<Record<BookRateName, readonly string[]>> = {
  eingabe: inputKeys('text'),
  ausgabe: outputKeys('text'),
  cache_lese: ['cache_read_mtok', 'cache_text_read_mtok'],
  cache_schreib: [
    'cache_write_mtok',
    'cache_text_write_mtok',
    'cache_write_5m_mtok',
    'cache_text_write_5m_mtok',
  ],
  cache_schreib_1h: ['cache_write_1h_mtok', 'cache_text_write_1h_mtok'],
  denken: ['output_reasoning_mtok', 'output_text_reasoning_mtok'],
  sekunde: ['input_audio_hours', 'audio_hours'],
};

const stated = (all: Rates, name: BookRateName): [string, Rate] | undefined => {
  const keys = OTHER_KEYS[name] ?? [BOOK_RATES[name].key];
  const key = keys.find((each) => all.has(each));
  return key === undefined ? undefined : [key, all.get(key) as Rate];
};

const toSaetze = ({ all }: ModelRates): Saetze =>
  Object.fromEntries(
    BOOK_RATE_NAMES.map((name) => {
      const found = stated(all, name);
      return [name, found ? priceOfRate(found[1], found[0], BOOK_RATES[name].per) : null];
    }),
  ) as Saetze;

interface Asker {
  mandant: MandantId;
  zeitzone: string;
}

type LookUp = (
  asker: Asker,
  wish: BodyOf<typeof preiseNachschlagen>,
) => Promise<ResponseOf<typeof preiseNachschlagen>>;

/** Makes what looks prices up; it answers in the order of the questions. */
export function createLookUp({ db, clock }: Pick<ServiceContext, 'db' | 'clock'>, list: PriceList): LookUp {
  const pricesOf = createPricesOf(list);
  return async (asker, { modelle }) => {
    await list.refresh?.();
    const prices = await db.forMandant(asker.mandant, (tx) => pricesOf(tx, asker.zeitzone));
    const now = clock.now().getTime();
    return {
      modelle: modelle.map(({ anbieter = null, modell }) => {
        const found = prices.model(anbieter, modell)(now);
        const rates = found && (found.variant(NO_FACTS, now).rates ?? null);
        return {
          anbieter,
          modell,
          quelle: rates?.source ?? null,
          herkunft: rates?.origin ?? null,
          rabatt_prozent: rates?.discount ?? null,
          saetze: rates && toSaetze(rates),
        };
      }),
    };
  };
}
