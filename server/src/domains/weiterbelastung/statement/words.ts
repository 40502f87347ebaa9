/** What a statement says, for who keeps books. */
import type { Sentence } from '#kernel/sentence.ts';

export const WORDS = {
  title: { de: 'Abrechnung {monat}', en: 'Statement for {monat}' },
  to: { de: 'Abrechnung für', en: 'Statement to' },
  reference: { de: 'Referenz: {wert}', en: 'Reference: {wert}' },
  costCentre: { de: 'Kostenstelle: {wert}', en: 'Cost centre: {wert}' },
  made: { de: 'Erstellt am {tag}', en: 'Made on {tag}' },
  amount: { de: 'Betrag', en: 'Amount' },
  netAmount: { de: 'Betrag netto', en: 'Net amount' },
  calls: { de: 'Aufrufe', en: 'Calls' },
  month: { de: 'Monat', en: 'Month' },
  status: { de: 'Status', en: 'Status' },
  open: { de: 'vorläufig', en: 'provisional' },
  closed: { de: 'abgeschlossen', en: 'final' },
  mayChange: {
    de: 'Der Monat ist noch nicht abgeschlossen; die Zahlen können sich noch ändern.',
    en: 'The month has not been closed yet; figures may still change.',
  },
  closedOn: { de: 'Der Monat wurde am {tag} abgeschlossen.', en: 'The month was closed on {tag}.' },
  derivation: { de: 'So setzt sich der Betrag zusammen', en: 'How the amount is made up' },
  item: { de: 'Position', en: 'Item' },
  callsOf: { de: 'Aufrufe im {monat}', en: 'Calls in {monat}' },
  costOf: { de: 'Kosten der Aufrufe im {monat}', en: 'Cost of the calls in {monat}' },
  markup: { de: 'Aufschlag {prozent}', en: 'Markup {prozent}' },
  discount: { de: 'Nachlass {prozent}', en: 'Discount {prozent}' },
  correction: { de: 'Korrektur zu {monat}', en: 'Correction to {monat}' },
  sum: { de: 'Summe', en: 'Total' },
  netSum: { de: 'Summe netto', en: 'Net total' },
  tax: { de: 'Umsatzsteuer {prozent}', en: 'VAT {prozent}' },
  gross: { de: 'Gesamtbetrag brutto', en: 'Gross total' },
  notCharged: {
    de: 'Nicht berechnet und nicht im Betrag enthalten: fehlgeschlagene und doppelte Aufrufe',
    en: 'Not charged and no part of the amount: failed and repeated calls',
  },
  unknown: { de: 'unbekannt', en: 'unknown' },
  nothingPriced: {
    de: 'Der Betrag ist unbekannt, weil für keinen der Aufrufe ein Preis bekannt ist.',
    en: 'The amount is unknown because none of the calls has a known price.',
  },
  oneUnpriced: {
    de: 'Für einen Aufruf ist kein Preis bekannt; er ist im Betrag nicht enthalten.',
    en: 'One call has no known price and is no part of the amount.',
  },
  manyUnpriced: {
    de: 'Für {n} Aufrufe ist kein Preis bekannt; sie sind im Betrag nicht enthalten.',
    en: '{n} calls have no known price and are no part of the amount.',
  },
  onePartly: {
    de: 'Bei einem Aufruf ist nur ein Teil des Preises bekannt; im Betrag steht der bekannte Teil.',
    en: 'Of the price of one call only a part is known; the amount holds that part.',
  },
  manyPartly: {
    de: 'Bei {n} Aufrufen ist nur ein Teil des Preises bekannt; im Betrag steht der bekannte Teil.',
    en: 'Of the price of {n} calls only a part is known; the amount holds that part.',
  },
  byDay: { de: 'Betrag je Tag', en: 'Amount by day' },
  chart: {
    de: 'Balkendiagramm: Betrag je Tag im {monat}. Am höchsten ist er am {tag} mit {betrag}; Tage mit einem Betrag: {n} von {m}.',
    en: 'Bar chart: amount by day in {monat}. It is highest on {tag} at {betrag}; days with an amount: {n} of {m}.',
  },
  byAgent: { de: 'Nach Agent', en: 'By agent' },
  agent: { de: 'Agent', en: 'Agent' },
  byModel: { de: 'Nach Modell', en: 'By model' },
  model: { de: 'Modell', en: 'Model' },
  tokens: { de: 'Token', en: 'Tokens' },
  others: { de: 'Übrige ({n})', en: 'Others ({n})' },
  unnamed: { de: 'ohne Angabe', en: 'not stated' },
  noCalls: { de: 'Im {monat} gab es keine Aufrufe.', en: 'There were no calls in {monat}.' },
} as const satisfies Record<string, Sentence>;

export type Word = keyof typeof WORDS;
