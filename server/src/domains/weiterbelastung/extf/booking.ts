/** One booking for each line of a month, and what keeps a line from becoming one. */
import { type Cents, centsFrom } from '#kernel/money.ts';
import type { Sentence } from '#kernel/sentence.ts';
import { grossOf } from '../gross.ts';
import type { Line } from '../line.ts';
import { voucherOf } from '../voucher.ts';
import { type BookingSettings, isAccount } from './settings.ts';
import { isWritable, transliterate } from './windows-1252.ts';

export interface Booking {
  /** Always above 0. */
  umsatz: Cents;
  /** `S`: the end customer owes it; `H`: it is credited. */
  sollHaben: 'S' | 'H';
  konto: string;
  /** The revenue account, and the tax key that goes with it. */
  gegenkonto: string;
  buSchluessel: string | null;
  belegfeld1: string;
  buchungstext: string;
  kost1: string;
  /** As it is; '' where the character set of the file does not have it. */
  referenz: string;
  /** The month the calls are of, YYYY-MM. */
  monat: string;
}

/** Why a line cannot be booked as it is. */
export interface BookingFault {
  referenz: string;
  feld: 'name' | 'referenz' | 'kostenstelle' | 'debitorenkonto' | 'betrag_eur';
  code: 'zeichen' | 'kostenstelle' | 'debitorenkonto' | 'betrag_zu_gross';
  /** The character at fault, where it is one. */
  zeichen: string | null;
  satz: Sentence;
}

const MOST_TEXT = 60;
/** Of a cost centre. */
const MOST_COST_CENTRE = 36;
const TOO_LARGE = centsFrom('10000000000');

/** The month as bookkeepers write it: `10/2026`. */
export const monthText = (monat: string): string => `${monat.slice(5, 7)}/${monat.slice(0, 4)}`;

const faultOf = (
  { zahler: referenz }: Line,
  feld: BookingFault['feld'],
  code: BookingFault['code'],
  zeichen: string | null,
  satz: Sentence,
): BookingFault => ({ referenz, feld, code, zeichen, satz });

/** `ツ (U+30C4)`. */
const shown = (character: string) =>
  `${character} (U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')})`;

function textFault(line: Line, missing: string): BookingFault {
  const feld = line.name === null ? 'referenz' : 'name';
  const [de, en] = feld === 'name' ? ['Der Name', 'The name'] : ['Die Referenz', 'The reference'];
  const advice =
    feld === 'name' ? ['', ''] : [' Geben Sie dem Endkunden einen Namen.', ' Give the end customer a name.'];
  return faultOf(line, feld, 'zeichen', missing, {
    de: `${de} des Endkunden „${line.referenz}“ enthält das Zeichen ${shown(missing)}, das es in der Buchungsdatei nicht gibt.${advice[0]}`,
    en: `${en} of the end customer “${line.referenz}” holds the character ${shown(missing)}, which the booking file does not have.${advice[1]}`,
  });
}

function costCentreFault(line: Line, kostenstelle: string): BookingFault | null {
  const strange = [...kostenstelle].find((character) => !/[\w ]/.test(character)) ?? null;
  if (strange === null && kostenstelle.length <= MOST_COST_CENTRE) return null;
  return faultOf(line, 'kostenstelle', 'kostenstelle', strange, {
    de: `Die Kostenstelle „${kostenstelle}“ des Endkunden „${line.referenz}“ ${strange === null ? 'hat mehr als 36 Zeichen' : `enthält das Zeichen ${shown(strange)}`}; erlaubt sind Buchstaben ohne Umlaute, Ziffern, _ und Leerzeichen.`,
    en: `The cost centre “${kostenstelle}” of the end customer “${line.referenz}” ${strange === null ? 'has more than 36 characters' : `holds the character ${shown(strange)}`}; letters of A to Z, digits, _ and blanks are allowed.`,
  });
}

function accountFault(line: Line, konto: string, laenge: number): BookingFault | null {
  if (isAccount(konto, laenge, true)) return null;
  return faultOf(line, 'debitorenkonto', 'debitorenkonto', null, {
    de: `Das Debitorenkonto „${konto}“ des Endkunden „${line.referenz}“ besteht nicht aus höchstens ${laenge + 1} Ziffern (nicht nur Nullen).`,
    en: `The account “${konto}” of the end customer “${line.referenz}” does not have at most ${laenge + 1} digits (not only zeros).`,
  });
}

const sizeFault = (line: Line): BookingFault =>
  faultOf(line, 'betrag_eur', 'betrag_zu_gross', null, {
    de: `Der Betrag des Endkunden „${line.referenz}“ hat mehr als zehn Stellen vor dem Komma.`,
    en: `The amount of the end customer “${line.referenz}” has more than ten digits before the comma.`,
  });

/** The booking of a line, or what is wrong with it; null for a line without an amount or of 0, which is not booked. */
export function toBooking(
  settings: BookingSettings,
  month: string,
  line: Line,
): Booking | { faults: BookingFault[] } | null {
  if (line.betrag_eur === null) return null;
  const gross = grossOf(line.betrag_eur, settings.steuersatz_prozent);
  if (gross === 0n) return null;
  const umsatz = (gross < 0n ? -gross : gross) as Cents;
  const { text: name, missing } = transliterate(line.name ?? line.referenz);
  const konto = line.debitorenkonto ?? settings.sammelkonto;
  const kost1 = line.kostenstelle ?? '';
  const faults = [
    missing === null ? null : textFault(line, missing),
    costCentreFault(line, kost1),
    accountFault(line, konto, settings.sachkontenlaenge),
    umsatz < TOO_LARGE ? null : sizeFault(line),
  ].filter((fault) => fault !== null);
  if (faults.length > 0) return { faults };
  const what = line.art === 'korrektur' ? 'Korrektur' : 'KI-Nutzung';
  return {
    umsatz,
    sollHaben: gross > 0n ? 'S' : 'H',
    konto,
    gegenkonto: settings.erloeskonto,
    buSchluessel: settings.bu_schluessel,
    belegfeld1: voucherOf(month, line),
    buchungstext: `${what} ${monthText(line.monat)} ${name}`.slice(0, MOST_TEXT).trimEnd(),
    kost1,
    referenz: isWritable(line.zahler) && line.zahler.length <= 210 ? line.zahler : '',
    monat: line.monat,
  };
}
