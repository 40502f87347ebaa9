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
import { withBook } from '../book/priced.ts';
import { type ModelRates, NO_FACTS, type PriceList } from '../price-list.ts';
import { inputKeys, outputKeys, priceOfRate, type Rate, type Rates } from '../rates.ts';
import { currentEdition, readEdition } from '../store/books.ts';

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

/** Mandanten whose prices are remembered. */
const MAX_KEPT = 50;
/** Models of each that are. */
const MAX_MODELS = 500;

/** Answers the prices of a Mandant; what its book makes of the list is remembered, since an edition never changes. */
function createPricesOf(db: ServiceContext['db'], list: PriceList) {
  const kept = new Map<MandantId, { fassung: number; zone: string; prices: PriceList }>();
  return ({ mandant, zeitzone: zone }: Asker): Promise<PriceList> =>
    db.forMandant(mandant, async (tx) => {
      const fassung = await currentEdition(tx);
      const known = kept.get(mandant);
      if (known?.fassung === fassung && known.zone === zone) return known.prices;
      const edition = fassung === 0 ? undefined : await readEdition(tx, fassung);
      if (!edition) return list;
      const prices = withBook(list, { fassung, content: edition.inhalt, zone }, MAX_MODELS);
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(mandant, { fassung, zone, prices });
      return prices;
    });
}

type LookUp = (
  asker: Asker,
  wish: BodyOf<typeof preiseNachschlagen>,
) => Promise<ResponseOf<typeof preiseNachschlagen>>;

/** Makes what looks prices up; it answers in the order of the questions. */
export function createLookUp({ db, clock }: Pick<ServiceContext, 'db' | 'clock'>, list: PriceList): LookUp {
  const pricesOf = createPricesOf(db, list);
  return async (asker, { modelle }) => {
    await list.refresh?.();
    const prices = await pricesOf(asker);
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
