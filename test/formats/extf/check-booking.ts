/** The check of one booking, by the table of columns. */
import { liftsAutomatism, vatOf } from '#domains/weiterbelastung/extf/accounts.ts';
import { COLUMNS, type Column, PLACE } from '#domains/weiterbelastung/extf/columns.ts';
import type { Header } from './check-header.ts';
import { error, type Finding, warning } from './finding.ts';
import type { Field, FileLine } from './read.ts';

/** What a booking cannot do without. */
const REQUIRED: ReadonlySet<number> = new Set([
  PLACE.umsatz,
  PLACE.sollHaben,
  PLACE.konto,
  PLACE.gegenkonto,
  PLACE.belegdatum,
]);

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;

/** Readers take an amount with fewer decimals, too; nothing else. */
const SOME_AMOUNT = /^(?![0,]+$)\d{1,10}(,\d{1,2})?$/;

const wrongForm = (
  zeile: number,
  place: number,
  { head }: Column,
  text: string,
): Parameters<typeof error> => [
  'feldinhalt',
  zeile,
  place,
  `„${text}“ ist in der Spalte „${head}“ nicht erlaubt.`,
  `“${text}” is not allowed in the column “${head}”.`,
];

/** Text that cannot stand in its column. */
function textFinding(zeile: number, place: number, column: Column, text: string): Finding | null {
  const { head, most } = column;
  if (CONTROL.test(text))
    return error(
      'steuerzeichen',
      zeile,
      place,
      `In der Spalte „${head}“ steht ein Zeilenumbruch oder ein anderes Steuerzeichen.`,
      `The column “${head}” holds a line break or another control character.`,
    );
  if (most !== null && text.length > most)
    return warning(
      'zu_lang',
      zeile,
      place,
      `Der Text der Spalte „${head}“ hat mehr als ${most} Zeichen und wird gekürzt.`,
      `The text of the column “${head}” has more than ${most} characters and is cut.`,
    );
  return null;
}

function quoteFinding(zeile: number, place: number, { head, isText }: Column): Finding {
  return warning(
    'textkennzeichen',
    zeile,
    place,
    `Die Spalte „${head}“ steht ${isText ? 'nicht ' : ''}in Anführungszeichen.`,
    `The column “${head}” is ${isText ? 'not ' : ''}in quotes.`,
  );
}

/** Fields without which a booking is refused are errors, so is what would lock a batch; the rest is passed over by readers. */
function formFinding(zeile: number, place: number, column: Column, text: string): Finding | null {
  const isRequired = REQUIRED.has(place);
  if (text === '' && isRequired)
    return error(
      'pflichtfeld',
      zeile,
      place,
      `Die Spalte „${column.head}“ ist leer.`,
      `The column “${column.head}” is empty.`,
    );
  if (text === '' && place === PLACE.festschreibung)
    return warning(
      'festschreibung_leer',
      zeile,
      place,
      'Ohne Angabe zur Festschreibung wird der ganze Stapel festgeschrieben.',
      'Where nothing is said of it, the whole batch is locked.',
    );
  if (text === '' || column.form.test(text)) return null;
  const isPassable = place === PLACE.umsatz && SOME_AMOUNT.test(text);
  const isError = (isRequired && !isPassable) || place === PLACE.festschreibung;
  return (isError ? error : warning)(...wrongForm(zeile, place, column, text));
}

function fieldFinding(zeile: number, place: number, { text, isQuoted }: Field): Finding | null {
  const column = COLUMNS[place - 1] as Column;
  return (
    textFinding(zeile, place, column, text) ??
    formFinding(zeile, place, column, text) ??
    (isQuoted === column.isText ? null : quoteFinding(zeile, place, column))
  );
}

function accountFinding(zeile: number, place: number, text: string, laenge: number): Finding | null {
  if (text.length <= laenge + 1) return null;
  return error(
    'kontolaenge',
    zeile,
    place,
    `Das Konto „${text}“ ist länger, als die Sachkontenlänge ${laenge} erlaubt.`,
    `The account “${text}” is longer than accounts of ${laenge} digits allow.`,
  );
}

/** TTMM; the year is that of the batch, whose period lies in one calendar year. */
function dateFinding(zeile: number, text: string, { von, bis }: Header): Finding | null {
  const [day, month] = [Number(text.slice(0, 2)), Number(text.slice(2))];
  try {
    // 2024 has every day that any year has.
    const date = Temporal.PlainDate.from({ year: von?.year ?? 2024, month, day }, { overflow: 'reject' });
    if (!von || !bis) return null;
    const isInside = Temporal.PlainDate.compare(von, date) <= 0 && Temporal.PlainDate.compare(date, bis) <= 0;
    if (isInside) return null;
  } catch {
    return error(
      'belegdatum',
      zeile,
      PLACE.belegdatum,
      `Den Tag „${text}“ (TTMM) gibt es nicht.`,
      `There is no day “${text}” (DDMM).`,
    );
  }
  return warning(
    'belegdatum_ausserhalb',
    zeile,
    PLACE.belegdatum,
    `Das Belegdatum „${text}“ liegt nicht im Zeitraum des Stapels.`,
    `The date “${text}” is not in the period of the batch.`,
  );
}

function keyFinding(zeile: number, gegenkonto: string, key: string, header: Header): Finding | null {
  if (key === '' || header.kontenrahmen === null || header.laenge === null) return null;
  const vat = vatOf(gegenkonto, header.kontenrahmen, header.laenge);
  if (vat === null || (vat.percent !== null && liftsAutomatism(key))) return null;
  return warning(
    'bu_schluessel_nicht_erlaubt',
    zeile,
    PLACE.buSchluessel,
    `Das Konto ${gegenkonto} nimmt keinen BU-Schlüssel an.`,
    `Account ${gegenkonto} takes no tax key.`,
  );
}

/** First columns of pairs of kind and content. */
const PAIRS = [
  ...Array.from({ length: 8 }, (_, at) => PLACE.beleginfo + 2 * at),
  ...Array.from({ length: 20 }, (_, at) => PLACE.zusatzinformation + 2 * at),
  PLACE.leistungsdatum,
];

function pairFindings(zeile: number, at: (place: number) => string): Finding[] {
  return PAIRS.filter((place) => (at(place) === '') !== (at(place + 1) === '')).map((place) =>
    warning(
      'paar',
      zeile,
      at(place) === '' ? place : place + 1,
      `Die Spalten „${COLUMNS[place - 1]?.head}“ und „${COLUMNS[place]?.head}“ gehören zusammen, eine davon ist leer.`,
      `The columns “${COLUMNS[place - 1]?.head}” and “${COLUMNS[place]?.head}” belong together, one of them is empty.`,
    ),
  );
}

/** What is wrong with a booking; where its number of fields is, nothing else is looked at. */
export function checkBooking({ zeile, fields, isWhole }: FileLine, header: Header): Finding[] {
  if (!isWhole) return [];
  if (fields.length !== header.spalten)
    return [
      error(
        'feldanzahl',
        zeile,
        null,
        `Die Zeile hat ${fields.length} statt ${header.spalten} Felder.`,
        `The line has ${fields.length} fields instead of ${header.spalten}.`,
      ),
    ];
  const findings = fields.flatMap((field, index) => fieldFinding(zeile, index + 1, field) ?? []);
  const isWrong = new Set(findings.map(({ spalte }) => spalte));
  const at = (place: number) => (isWrong.has(place) ? '' : (fields[place - 1]?.text ?? ''));
  const { laenge } = header;
  const accounts = [PLACE.konto, PLACE.gegenkonto].map((place) =>
    laenge === null ? null : accountFinding(zeile, place, at(place), laenge),
  );
  const date = at(PLACE.belegdatum) === '' ? null : dateFinding(zeile, at(PLACE.belegdatum), header);
  const taxKey = keyFinding(zeile, at(PLACE.gegenkonto), at(PLACE.buSchluessel), header);
  const pairs = pairFindings(zeile, (place) => fields[place - 1]?.text ?? '');
  return [...findings, ...[...accounts, date, taxKey].filter((finding) => finding !== null), ...pairs];
}
