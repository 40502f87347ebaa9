/** The check of the first line: who wrote what for whom. */
import { error, type Finding, warning } from './finding.ts';
import type { FileLine } from './read.ts';

/** What the bookings are measured by; null where the header does not say it. */
export interface Header {
  /** 125 columns in format version 13, one fewer in 12. */
  spalten: number;
  laenge: number | null;
  von: Temporal.PlainDate | null;
  bis: Temporal.PlainDate | null;
  kontenrahmen: '03' | '04' | null;
}

const FIELDS = 31;

interface HeaderField {
  name: string;
  isText: boolean;
  form: RegExp;
  /** Whether the file is refused, or not even offered, without it. */
  isKey: boolean;
}

const key = (name: string, form: RegExp, isText = false): HeaderField => ({
  name,
  isText,
  form,
  isKey: true,
});
const bare = (name: string, form: RegExp): HeaderField => ({ name, isText: false, form, isKey: false });
const text = (name: string, form: RegExp): HeaderField => ({ name, isText: true, form, isKey: false });
const EMPTY = /^$/;
const DAY = /^20\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/;

const HEADER: readonly HeaderField[] = [
  key('Kennzeichen', /^(EXTF|DTVF)$/, true),
  key('Versionsnummer', /^700$/),
  key('Formatkategorie', /^21$/),
  key('Formatname', /^Buchungsstapel$/, true),
  key('Formatversion', /^1[23]$/),
  bare('Erzeugt am', /^20\d{15}$/),
  bare('Importiert', EMPTY),
  text('Herkunft', /^\w{0,2}$/),
  text('Exportiert von', /^[\w ]{0,25}$/),
  text('Importiert von', /^[\w ]{0,25}$/),
  key('Beraternummer', /^(?!0|1000$)\d{4,7}$/),
  key('Mandantennummer', /^(?!0+$)\d{1,5}$/),
  key('WJ-Beginn', DAY),
  key('Sachkontenlänge', /^[4-8]$/),
  key('Datum von', DAY),
  key('Datum bis', DAY),
  text('Bezeichnung', /^.{0,30}$/),
  text('Diktatkürzel', /^([A-Z]{2}){0,2}$/),
  bare('Buchungstyp', /^[12]$/),
  bare('Rechnungslegungszweck', /^(0|30|40|50|64)$/),
  key('Festschreibung', /^[01]$/),
  text('WKZ', /^[A-Z]{3}$/),
  bare('Reserviert', EMPTY),
  text('Derivatskennzeichen', EMPTY),
  bare('Reserviert', EMPTY),
  bare('Reserviert', EMPTY),
  text('Sachkontenrahmen', /^(\d{2}){0,2}$/),
  bare('ID der Branchenlösung', /^\d{0,4}$/),
  bare('Reserviert', EMPTY),
  text('Reserviert', EMPTY),
  text('Anwendungsinformation', /^.{0,16}$/),
];

function fieldFindings({ zeile, fields }: FileLine): Finding[] {
  return HEADER.flatMap(({ name, isText, form, isKey }, at) => {
    const field = fields[at];
    if (field === undefined) return [];
    const say = isKey ? error : warning;
    if (!form.test(field.text))
      return say(
        'kopffeld',
        zeile,
        at + 1,
        `Das Feld „${name}“ im Kopf der Datei darf „${field.text}“ nicht enthalten.`,
        `The field “${name}” in the head of the file must not hold “${field.text}”.`,
      );
    if (field.isQuoted === isText) return [];
    return warning(
      'kopffeld_textkennzeichen',
      zeile,
      at + 1,
      `Das Feld „${name}“ im Kopf der Datei steht ${isText ? 'nicht ' : ''}in Anführungszeichen.`,
      `The field “${name}” in the head of the file is ${isText ? 'not ' : ''}in quotes.`,
    );
  });
}

/** `20261001`; null for a day that there is not. */
function dayFrom(digits: string): Temporal.PlainDate | null {
  try {
    return DAY.test(digits) ? Temporal.PlainDate.from(digits) : null;
  } catch {
    return null;
  }
}

type Days = [wj: Temporal.PlainDate, von: Temporal.PlainDate, bis: Temporal.PlainDate];

/** How fiscal year and period fit together; the first that does not. */
function periodFinding(zeile: number, [wj, von, bis]: Days): Finding | null {
  const isBefore = (a: Temporal.PlainDate, b: Temporal.PlainDate) => Temporal.PlainDate.compare(a, b) < 0;
  if (isBefore(bis, von))
    return error(
      'zeitraum',
      zeile,
      16,
      '„Datum bis“ liegt vor „Datum von“.',
      '“Datum bis” is before “Datum von”.',
    );
  if (von.year !== bis.year)
    return error(
      'kalenderjahr',
      zeile,
      16,
      'Der Zeitraum des Stapels liegt in zwei Kalenderjahren.',
      'The period of the batch is in two calendar years.',
    );
  if (!isBefore(von, wj) && isBefore(bis, wj.add({ years: 1 }))) return null;
  return error(
    'wirtschaftsjahr',
    zeile,
    13,
    'Der Zeitraum des Stapels liegt nicht im Wirtschaftsjahr, das hier beginnt.',
    'The period of the batch is not in the fiscal year that begins here.',
  );
}

function daysOf(record: FileLine): { days: (Temporal.PlainDate | null)[]; findings: Finding[] } {
  const places = [13, 15, 16];
  const texts = places.map((place) => record.fields[place - 1]?.text ?? '');
  const days = texts.map(dayFrom);
  const findings = places.flatMap((place, at) =>
    days[at] === null && DAY.test(texts[at] as string)
      ? error(
          'datum',
          record.zeile,
          place,
          `Den Tag „${texts[at]}“ gibt es nicht.`,
          `There is no day “${texts[at]}”.`,
        )
      : [],
  );
  return { days, findings };
}

/** What is wrong with the header, and what the bookings are measured by. */
export function checkHeader(record: FileLine): { header: Header; findings: Finding[] } {
  const findings: Finding[] = [];
  const isComplete = record.fields.length === FIELDS;
  if (record.isWhole && !isComplete)
    findings.push(
      error(
        'kopf_feldanzahl',
        record.zeile,
        null,
        `Der Kopf der Datei hat ${record.fields.length} statt ${FIELDS} Felder.`,
        `The head of the file has ${record.fields.length} fields instead of ${FIELDS}.`,
      ),
    );
  const at = (place: number) => (isComplete ? (record.fields[place - 1]?.text ?? '') : '');
  if (isComplete) findings.push(...fieldFindings(record));
  const { days, findings: noDays } = isComplete ? daysOf(record) : { days: [], findings: [] };
  findings.push(...noDays);
  const isDated = isComplete && days.every((day) => day !== null);
  const period = isDated ? periodFinding(record.zeile, days as Days) : null;
  if (period) findings.push(period);
  const [, von = null, bis = null] = isDated && period === null ? days : [];
  const rahmen = at(27);
  return {
    header: {
      spalten: at(5) === '12' ? 124 : 125,
      laenge: /^[4-8]$/.test(at(14)) ? Number(at(14)) : null,
      von,
      bis,
      kontenrahmen: rahmen === '03' || rahmen === '04' ? rahmen : null,
    },
    findings,
  };
}
