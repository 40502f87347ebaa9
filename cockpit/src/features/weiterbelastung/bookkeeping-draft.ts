/** The settings of accounting as they are typed, and as the service takes them. */
import type { InputOf } from '../../api/operations.ts';
import type { Buchhaltung } from '../../api/types.ts';
import type { Language } from '../../format/number.ts';
import { readNumber, writeNumber } from '../../format/typed-number.ts';

/** The settings in the order they are shown. */
export const GROUPS = {
  berater: ['beraternummer', 'mandantennummer', 'wirtschaftsjahr_beginn'],
  konten: ['kontenrahmen', 'sachkontenlaenge', 'erloeskonto', 'sammelkonto'],
  steuer: ['steuersatz_prozent', 'bu_schluessel'],
  stapel: ['bezeichnung', 'diktatkuerzel', 'festschreibung'],
  berechnung: ['verbranntes_berechnen', 'aufschlag_ausweisen'],
} as const satisfies Record<string, readonly Exclude<keyof Buchhaltung, 'fehlt'>[]>;

export type SettingName = (typeof GROUPS)[keyof typeof GROUPS][number];

/** Those that are ticked or not. */
export const SWITCHES = ['festschreibung', 'verbranntes_berechnen', 'aufschlag_ausweisen'] as const;
type Switch = (typeof SWITCHES)[number];

export type Draft = Record<Exclude<SettingName, Switch>, string> & Record<Switch, boolean>;

type Body = InputOf<'buchhaltungSetzen'>['body'];

const text = (value: string | number | null) => (value === null ? '' : String(value));

export const toDraft = (stored: Buchhaltung, language: Language): Draft => ({
  beraternummer: text(stored.beraternummer),
  mandantennummer: text(stored.mandantennummer),
  wirtschaftsjahr_beginn: text(stored.wirtschaftsjahr_beginn),
  sachkontenlaenge: text(stored.sachkontenlaenge),
  kontenrahmen: text(stored.kontenrahmen),
  sammelkonto: text(stored.sammelkonto),
  erloeskonto: text(stored.erloeskonto),
  bu_schluessel: text(stored.bu_schluessel),
  steuersatz_prozent: writeNumber(text(stored.steuersatz_prozent), language),
  festschreibung: stored.festschreibung,
  diktatkuerzel: text(stored.diktatkuerzel),
  bezeichnung: text(stored.bezeichnung),
  verbranntes_berechnen: stored.verbranntes_berechnen,
  aufschlag_ausweisen: stored.aufschlag_ausweisen,
});

const orNull = (typed: string) => typed.trim() || null;

/** A whole number; what is none goes as it was typed, so that the service names the field. */
function wholeOrNull(typed: string): number | null {
  const trimmed = typed.trim();
  if (trimmed === '') return null;
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : (trimmed as unknown as number);
}

/** What is typed as the service takes it; empty fields clear what was set. */
export const toBody = (draft: Draft, language: Language): Body => ({
  beraternummer: wholeOrNull(draft.beraternummer),
  mandantennummer: wholeOrNull(draft.mandantennummer),
  wirtschaftsjahr_beginn: Number(draft.wirtschaftsjahr_beginn),
  sachkontenlaenge: Number(draft.sachkontenlaenge),
  kontenrahmen: draft.kontenrahmen === '03' || draft.kontenrahmen === '04' ? draft.kontenrahmen : null,
  sammelkonto: orNull(draft.sammelkonto),
  erloeskonto: orNull(draft.erloeskonto),
  bu_schluessel: orNull(draft.bu_schluessel),
  steuersatz_prozent: readNumber(draft.steuersatz_prozent, language) || null,
  festschreibung: draft.festschreibung,
  diktatkuerzel: orNull(draft.diktatkuerzel),
  bezeichnung: orNull(draft.bezeichnung),
  verbranntes_berechnen: draft.verbranntes_berechnen,
  aufschlag_ausweisen: draft.aufschlag_ausweisen,
});
