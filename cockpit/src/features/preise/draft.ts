/** Entries of the price book as they stand in a form: every value as the text that is typed, and the way there and back. */
import { BOOK_RATE_NAMES, type BookRateName } from '#contracts/book-rates.ts';
import type { Freigabe, Modellpreis, Preis, Rabatt } from '../../api/types.ts';
import type { Language } from '../../format/number.ts';
import { writeNumber } from '../../format/typed-number.ts';
import { isTool, readRate } from './rates.ts';

type Texts<T> = { [K in keyof T]: string };

export type PriceDraft = Texts<Omit<Preis, 'saetze'>> & { saetze: Record<BookRateName, string> };
export type DiscountDraft = Texts<Rabatt>;
/** Models that may be replaced, one a line. */
export type ApprovedDraft = Texts<Freigabe>;

const orNull = (text: string): string | null => text.trim() || null;

const ratesWith = <T>(make: (name: BookRateName) => T) =>
  Object.fromEntries(BOOK_RATE_NAMES.map((name) => [name, make(name)])) as Record<BookRateName, T>;

export const emptyPrice = (modell = '', anbieter = ''): PriceDraft => ({
  anbieter,
  modell,
  preisstufe: '',
  gilt_ab: '',
  gilt_bis: '',
  saetze: ratesWith(() => ''),
  bemerkung: '',
});

/** A new price that begins with what the model costs now; tools that are left out keep the price of the list anyway. */
export function priceFrom({ modell, anbieter, saetze }: Modellpreis, language: Language): PriceDraft {
  const rates = ratesWith((name) => (isTool(name) ? '' : writeNumber(saetze?.[name] ?? '', language)));
  return { ...emptyPrice(modell, anbieter ?? ''), saetze: rates };
}

export const priceDraftOf = (price: Preis, language: Language): PriceDraft => ({
  anbieter: price.anbieter ?? '',
  modell: price.modell,
  preisstufe: price.preisstufe ?? '',
  gilt_ab: price.gilt_ab ?? '',
  gilt_bis: price.gilt_bis ?? '',
  saetze: ratesWith((name) => writeNumber(price.saetze[name] ?? '', language)),
  bemerkung: price.bemerkung ?? '',
});

export const toPrice = (draft: PriceDraft): Preis => ({
  anbieter: orNull(draft.anbieter),
  modell: draft.modell.trim(),
  preisstufe: orNull(draft.preisstufe),
  gilt_ab: orNull(draft.gilt_ab),
  gilt_bis: orNull(draft.gilt_bis),
  saetze: ratesWith((name) => orNull(readRate(draft.saetze[name]))),
  bemerkung: orNull(draft.bemerkung),
});

export const emptyDiscount: DiscountDraft = {
  anbieter: '',
  prozent: '',
  gilt_ab: '',
  gilt_bis: '',
  bemerkung: '',
};

export const discountDraftOf = (discount: Rabatt, language: Language): DiscountDraft => ({
  anbieter: discount.anbieter,
  prozent: writeNumber(discount.prozent, language),
  gilt_ab: discount.gilt_ab ?? '',
  gilt_bis: discount.gilt_bis ?? '',
  bemerkung: discount.bemerkung ?? '',
});

export const toDiscount = (draft: DiscountDraft): Rabatt => ({
  anbieter: draft.anbieter.trim(),
  prozent: readRate(draft.prozent),
  gilt_ab: orNull(draft.gilt_ab),
  gilt_bis: orNull(draft.gilt_bis),
  bemerkung: orNull(draft.bemerkung),
});

export const approvedDraftOf = ({ modell, ersetzt }: Freigabe): ApprovedDraft => ({
  modell,
  ersetzt: ersetzt.join('\n'),
});

export const toApproved = ({ modell, ersetzt }: ApprovedDraft): Freigabe => ({
  modell: modell.trim(),
  ersetzt: ersetzt
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean),
});
