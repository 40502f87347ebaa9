/** An invoice as it is typed, and as the service takes it. */
import type { InputOf } from '../../api/operations.ts';
import type { Anbieterrechnung } from '../../api/types.ts';
import type { Language } from '../../format/number.ts';
import { readNumber, writeNumber } from '../../format/typed-number.ts';

/** The fields; empty where nothing is known. */
export interface Draft {
  monat: string;
  anbieter: string;
  betrag: string;
  waehrung: 'EUR' | 'USD';
  kurs: string;
  rechnungsnummer: string;
  notiz: string;
}

/** What is known of an invoice before anybody typed. */
export type Known = Pick<Draft, 'monat'> &
  Partial<Pick<Anbieterrechnung, 'anbieter' | 'betrag' | 'waehrung'>>;

export const newDraft = ({ monat, anbieter, betrag, waehrung }: Known, language: Language): Draft => ({
  monat,
  anbieter: anbieter ?? '',
  betrag: betrag === undefined ? '' : writeNumber(betrag, language),
  waehrung: waehrung ?? 'EUR',
  kurs: '',
  rechnungsnummer: '',
  notiz: '',
});

export const toDraft = (of: Anbieterrechnung, language: Language): Draft => ({
  monat: of.monat,
  anbieter: of.anbieter,
  betrag: writeNumber(of.betrag, language),
  waehrung: of.waehrung,
  kurs: of.waehrung === 'USD' ? writeNumber(of.kurs, language) : '',
  rechnungsnummer: of.rechnungsnummer ?? '',
  notiz: of.notiz ?? '',
});

/** What is typed as the service takes it; amounts in EUR have no rate, and empty fields are not known. */
export function toBody(draft: Draft, language: Language): InputOf<'rechnungErfassen'>['body'] {
  const kurs = draft.waehrung === 'USD' ? readNumber(draft.kurs, language) : '';
  return {
    monat: draft.monat,
    anbieter: draft.anbieter.trim(),
    betrag: readNumber(draft.betrag.replace('\u2212', '-'), language),
    waehrung: draft.waehrung,
    kurs: kurs || null,
    rechnungsnummer: draft.rechnungsnummer.trim() || null,
    notiz: draft.notiz.trim() || null,
  };
}
