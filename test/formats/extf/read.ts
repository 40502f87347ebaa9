/** A file of DATEV's format taken apart into lines and fields, however it was written. */
import { error, type Finding, warning } from './finding.ts';

export interface Field {
  /** Without its quotes. */
  text: string;
  isQuoted: boolean;
}

export interface FileLine {
  /** Of the line it begins in, from 1. */
  zeile: number;
  fields: Field[];
  /** Whether its quotes are in order: where not, nobody can say where a field ends. */
  isWhole: boolean;
}

export interface Content {
  records: FileLine[];
  findings: Finding[];
}

function isUtf8(bytes: Uint8Array): boolean {
  if (!bytes.some((byte) => byte >= 0x80)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The text, in Windows-1252 unless the bytes are plainly UTF-8. */
function decode(bytes: Uint8Array): { text: string; findings: Finding[] } {
  if (!isUtf8(bytes)) return { text: new TextDecoder('windows-1252').decode(bytes), findings: [] };
  return {
    text: new TextDecoder('utf-8').decode(bytes),
    findings: [
      warning(
        'zeichensatz',
        1,
        null,
        'Die Datei ist in UTF-8 geschrieben, das Format will Windows-1252: Ohne Byte-Order-Mark werden Umlaute zerstört.',
        'The file is in UTF-8, the format wants Windows-1252: without a byte-order mark umlauts are destroyed.',
      ),
    ],
  };
}

/** Where the field that begins at `from` ends, and what is in it; null where its quotes are out of order. */
function quotedAt(text: string, from: number, lineEnd: string): { field: Field; end: number } | null {
  let end = text.indexOf('"', from + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end < 0) return null;
  const inside = text.slice(from + 1, end);
  const next = text[end + 1];
  const isEnd = next === undefined || next === ';' || next === '\r' || next === '\n';
  if (!isEnd || inside.includes(lineEnd)) return null;
  return { field: { text: inside.replaceAll('""', '"'), isQuoted: true }, end: end + 1 };
}

const BARE = /[^;\r\n]*/y;

/** Up to the next separator or end of the line. */
function bareAt(text: string, from: number): { field: Field; end: number } {
  BARE.lastIndex = from;
  const found = BARE.exec(text)?.[0] ?? '';
  return { field: { text: found, isQuoted: false }, end: from + found.length };
}

interface Taken {
  fields: Field[];
  isWhole: boolean;
  /** Behind the end of the line. */
  end: number;
  ending: string;
}

function takeRecord(text: string, from: number, lineEnd: string): Taken {
  const fields: Field[] = [];
  let isWhole = true;
  let at = from;
  while (true) {
    const quoted = text[at] === '"' ? quotedAt(text, at, lineEnd) : null;
    const { field, end } = quoted ?? bareAt(text, at);
    if (quoted === null && field.text.includes('"')) isWhole = false;
    fields.push(field);
    at = end + 1;
    if (text[end] === ';') continue;
    const ending = /^(\r\n|\r|\n|)/.exec(text.slice(end, end + 2))?.[0] ?? '';
    return { fields, isWhole, end: end + ending.length, ending };
  }
}

const endingFinding = (zeile: number, ending: string): Finding =>
  ending === ''
    ? warning(
        'zeilenende_fehlt',
        zeile,
        null,
        'Nach der letzten Zeile fehlt das Zeilenende.',
        'The last line has no end.',
      )
    : warning(
        'zeilenende',
        zeile,
        null,
        'Die Zeile endet nicht mit CR und LF.',
        'The line does not end with CR and LF.',
      );

const quoteFinding = (zeile: number): Finding =>
  error(
    'anfuehrungszeichen',
    zeile,
    null,
    'Die Anführungszeichen dieser Zeile passen nicht zusammen: innerhalb eines Textes werden sie verdoppelt.',
    'The quotes of this line do not match: within a text they are doubled.',
  );

/** Lines and fields of a file, with what is wrong about characters, line ends and quotes. Line ends are told of once. */
export function readRecords(bytes: Uint8Array): Content {
  const { text, findings } = decode(bytes);
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const records: FileLine[] = [];
  let zeile = 1;
  for (let at = 0; at < text.length; ) {
    const { fields, isWhole, end, ending } = takeRecord(text, at, lineEnd);
    records.push({ zeile, fields, isWhole });
    if (!isWhole) findings.push(quoteFinding(zeile));
    const isTold = findings.some(({ code }) => code === 'zeilenende');
    if (ending !== '\r\n' && !isTold) findings.push(endingFinding(zeile, ending));
    zeile += 1;
    at = end;
  }
  return { records, findings };
}
