/** The check of a booking file: strict about what a file is refused for, telling of the rest. */

import { COLUMNS, MOST_BOOKINGS } from '#domains/weiterbelastung/extf/columns.ts';
import { checkBooking } from './check-booking.ts';
import { checkHeader, type Header } from './check-header.ts';
import { error, type Finding, warning } from './finding.ts';
import { type FileLine, readRecords } from './read.ts';

/** Headings are read by place: one that is spelt otherwise does no harm. */
function checkHeadings({ zeile, fields, isWhole }: FileLine, { spalten }: Header): Finding[] {
  if (!isWhole) return [];
  if (fields.length !== spalten)
    return [
      error(
        'ueberschriften',
        zeile,
        null,
        `Die Zeile der Überschriften hat ${fields.length} statt ${spalten} Felder.`,
        `The line of headings has ${fields.length} fields instead of ${spalten}.`,
      ),
    ];
  return fields.flatMap(({ text }, at) => {
    const head = COLUMNS[at]?.head ?? '';
    if (text === head) return [];
    return warning(
      'ueberschrift',
      zeile,
      at + 1,
      `Die Überschrift „${text}“ heißt im Format „${head}“.`,
      `The heading “${text}” is called “${head}” in the format.`,
    );
  });
}

function countFindings(bookings: number): Finding[] {
  if (bookings === 0)
    return [
      warning('keine_buchung', 3, null, 'Die Datei enthält keine Buchung.', 'The file holds no booking.'),
    ];
  if (bookings <= MOST_BOOKINGS) return [];
  return [
    error(
      'zu_viele_buchungen',
      MOST_BOOKINGS + 3,
      null,
      `Die Datei enthält ${bookings} Buchungen, erlaubt sind ${MOST_BOOKINGS}.`,
      `The file holds ${bookings} bookings, ${MOST_BOOKINGS} are allowed.`,
    ),
  ];
}

/** What is wrong with a file, in the order of its lines; empty where nothing is. Never throws. */
export function checkBatch(bytes: Uint8Array): Finding[] {
  const { records, findings } = readRecords(bytes);
  const [first, second, ...rest] = records;
  if (!first || !second)
    return [
      error(
        'kopf_fehlt',
        1,
        null,
        'Der Datei fehlen der Kopf oder die Überschriften.',
        'The file lacks its head or its headings.',
      ),
    ];
  const { header, findings: ofHeader } = checkHeader(first);
  return [
    ...findings,
    ...ofHeader,
    ...checkHeadings(second, header),
    ...rest.flatMap((record) => checkBooking(record, header)),
    ...countFindings(rest.length),
  ].sort((a, b) => a.zeile - b.zeile);
}
