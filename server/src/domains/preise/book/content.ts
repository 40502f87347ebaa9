/** What a price book says: read from the input, checked beyond what its schema can say. */
import { isDeepStrictEqual } from 'node:util';
import {
  BOOK_RATE_NAMES,
  type BookRateName,
  MUSTER_MAX,
  type Preisbuch,
  type PreisbuchEingabe,
  STERNE_MAX,
  type Static,
} from '#contracts';
import { InvalidInput, type ValueFault } from '#kernel/errors.ts';
import {
  allTogether,
  bothOrNeither,
  endsBeforeItBegins,
  noRate,
  tooManyDecimals,
  tooManyPatterns,
  tooManyStars,
  untrimmed,
} from '../errors.ts';

/** A price book without its number and its author. */
export type BookContent = Omit<Static<typeof Preisbuch>, 'fassung' | 'erstellt_am' | 'erstellt_von'>;
export type BookPrice = BookContent['preise'][number];
export type Discount = BookContent['rabatte'][number];

export const EMPTY_BOOK: BookContent = { gemeldete_kosten: false, preise: [], rabatte: [], freigaben: [] };

/** Of a million tokens; of one of them a cost has six more. */
const MOST_DECIMALS = 15;

type Input = Static<typeof PreisbuchEingabe>;
export type PriceInput = NonNullable<Input['preise']>[number];
type Path = ValueFault['path'];
type Valid = { gilt_ab: string | null; gilt_bis: string | null };

const decimalsOf = (amount: string) => amount.split('.')[1]?.length ?? 0;

function toPrice(input: PriceInput): BookPrice {
  const saetze = Object.fromEntries(BOOK_RATE_NAMES.map((name) => [name, input.saetze[name] ?? null]));
  return {
    anbieter: input.anbieter ?? null,
    modell: input.modell,
    preisstufe: input.preisstufe?.toLowerCase() ?? null,
    gilt_ab: input.gilt_ab ?? null,
    gilt_bis: input.gilt_bis ?? null,
    saetze: saetze as BookPrice['saetze'],
    bemerkung: input.bemerkung || null,
  };
}

const validityFaults = ({ gilt_ab, gilt_bis }: Valid, path: Path): ValueFault[] =>
  gilt_ab !== null && gilt_bis !== null && gilt_bis <= gilt_ab
    ? [endsBeforeItBegins([...path, 'gilt_bis'], gilt_bis)]
    : [];

/** Patterns and names are compared with what calls say, so that a blank at an end would never fit. */
const nameFaults = (texts: Record<string, string | null>, path: Path): ValueFault[] =>
  Object.entries(texts)
    .filter(([, text]) => text !== null && text !== text.trim())
    .map(([name, text]) => untrimmed([...path, name], text));

const starFaults = (pattern: string, path: Path): ValueFault[] =>
  pattern.split('*').length - 1 > STERNE_MAX ? [tooManyStars(path, pattern, STERNE_MAX)] : [];

function rateFaults({ saetze }: BookPrice, path: Path): ValueFault[] {
  const stated = BOOK_RATE_NAMES.filter((name) => saetze[name] !== null);
  if (stated.length === 0) return [noRate([...path, 'saetze'])];
  const faults = stated
    .filter((name) => decimalsOf(saetze[name] as string) > MOST_DECIMALS)
    .map((name) => tooManyDecimals([...path, 'saetze', name], saetze[name], MOST_DECIMALS));
  const pair: [BookRateName, BookRateName] =
    saetze.eingabe === null ? ['eingabe', 'ausgabe'] : ['ausgabe', 'eingabe'];
  if (saetze[pair[0]] === null && saetze[pair[1]] !== null)
    faults.push(bothOrNeither([...path, 'saetze', pair[0]]));
  return faults;
}

const overlap = (a: Valid, b: Valid) =>
  (a.gilt_bis === null || b.gilt_ab === null || b.gilt_ab < a.gilt_bis) &&
  (b.gilt_bis === null || a.gilt_ab === null || a.gilt_ab < b.gilt_bis);

/** Entries that say something of the same at the same time: which of them holds nobody could tell. */
function twiceFaults<Entry extends Valid>(
  list: string,
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
): ValueFault[] {
  const before = new Map<string, Entry[]>();
  return entries.flatMap((entry, index) => {
    const key = keyOf(entry).toLowerCase();
    const same = before.getOrInsertComputed(key, (): Entry[] => []);
    const isTwice = same.some((other) => overlap(other, entry));
    same.push(entry);
    return isTwice ? [allTogether([list, index])] : [];
  });
}

/** At the first one too many. */
function patternFaults(preise: readonly BookPrice[]): ValueFault[] {
  const index = preise.flatMap(({ modell }, at) => (modell.includes('*') ? [at] : [])).at(MUSTER_MAX);
  return index === undefined ? [] : [tooManyPatterns(['preise', index, 'modell'], MUSTER_MAX)];
}

function faultsOf({ preise, rabatte, freigaben }: BookContent): ValueFault[] {
  return [
    ...preise.flatMap((price, index) => [
      ...nameFaults({ anbieter: price.anbieter, modell: price.modell, preisstufe: price.preisstufe }, [
        'preise',
        index,
      ]),
      ...starFaults(price.modell, ['preise', index, 'modell']),
      ...validityFaults(price, ['preise', index]),
      ...rateFaults(price, ['preise', index]),
    ]),
    ...patternFaults(preise),
    ...rabatte.flatMap((discount, index) => [
      ...nameFaults({ anbieter: discount.anbieter }, ['rabatte', index]),
      ...validityFaults(discount, ['rabatte', index]),
      ...(decimalsOf(discount.prozent) > MOST_DECIMALS
        ? [tooManyDecimals(['rabatte', index, 'prozent'], discount.prozent, MOST_DECIMALS)]
        : []),
    ]),
    ...freigaben.flatMap(({ modell, ersetzt }, index) => [
      ...nameFaults({ modell }, ['freigaben', index]),
      ...ersetzt.flatMap((pattern, place) => starFaults(pattern, ['freigaben', index, 'ersetzt', place])),
    ]),
    ...twiceFaults('preise', preise, (price) =>
      JSON.stringify([price.anbieter, price.modell, price.preisstufe]),
    ),
    ...twiceFaults('rabatte', rabatte, ({ anbieter }) => anbieter),
    ...twiceFaults(
      'freigaben',
      freigaben.map(({ modell }) => ({ modell, gilt_ab: null, gilt_bis: null })),
      ({ modell }) => modell,
    ),
  ];
}

/** The book that an input describes. Throws 422 for entries that contradict themselves or each other. */
export function toContent(input: Input): BookContent {
  const content: BookContent = {
    gemeldete_kosten: input.gemeldete_kosten ?? false,
    preise: (input.preise ?? []).map(toPrice),
    rabatte: (input.rabatte ?? []).map(({ anbieter, prozent, gilt_ab, gilt_bis, bemerkung }) => ({
      anbieter,
      prozent,
      gilt_ab: gilt_ab ?? null,
      gilt_bis: gilt_bis ?? null,
      bemerkung: bemerkung || null,
    })),
    freigaben: (input.freigaben ?? []).map(({ modell, ersetzt }) => ({ modell, ersetzt })),
  };
  const faults = faultsOf(content);
  if (faults.length > 0) throw new InvalidInput(faults);
  return content;
}

export const isSameBook = (a: BookContent, b: BookContent): boolean => isDeepStrictEqual(a, b);
