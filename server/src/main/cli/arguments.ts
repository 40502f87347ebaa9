/** Reading what is typed. */
import { readFile, stat } from 'node:fs/promises';
import { validate as isUuid } from 'uuid';
import { emailProblem, normaliseEmail } from '#kernel/email.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import { CommandRefused } from './command.ts';

export function readEmail(text = ''): string {
  if (emailProblem(text) !== null) throw new CommandRefused(`„${text}“ ist keine E-Mail-Adresse.`);
  return normaliseEmail(text);
}

export function readMandantId(text = ''): MandantId {
  try {
    return mandantId(text.toLowerCase());
  } catch {
    throw new CommandRefused(`„${text}“ ist keine Mandanten-Id; „mandanten“ zeigt alle.`);
  }
}

export function readAuftragId(text = ''): string {
  if (!isUuid(text))
    throw new CommandRefused(`„${text}“ ist keine Auftrags-Id; „aufgegebene-auftraege“ zeigt sie.`);
  return text;
}

/** A day that is not ahead, `YYYY-MM-DD`. */
export function readPastDay(text = '', now: Date): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
  if (!isDay || new Date(`${text}T00:00:00Z`).toISOString().slice(0, 10) !== text)
    throw new CommandRefused(`„${text}“ ist kein Tag wie 2026-11-20.`);
  if (text > now.toISOString().slice(0, 10))
    throw new CommandRefused(`Der Tag ${text} liegt in der Zukunft.`);
  return text;
}

/** An instant that is not ahead, in ISO 8601 with its offset. */
export function readInstant(text = '', now: Date): Date {
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const instant = new Date(text);
  if (!isInstant || Number.isNaN(instant.getTime()))
    throw new CommandRefused(
      `„${text}“ ist kein Zeitpunkt wie 2026-11-26T14:05:00+01:00 (mit Z oder Abstand zu UTC).`,
    );
  if (instant > now) throw new CommandRefused(`Der Zeitpunkt ${text} liegt in der Zukunft.`);
  return instant;
}

/** A number of something, from 1. */
export function readCount(text = ''): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new CommandRefused(`„${text}“ ist keine Anzahl von 1 bis 999999.`);
  return Number(text);
}

/** The instant a local day ends, for something that is good on that day still. */
export function readLastDay(text = '', timeZone: string, now: Date): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
  if (!isDay || new Date(`${text}T00:00:00Z`).toISOString().slice(0, 10) !== text)
    throw new CommandRefused(`„${text}“ ist kein Tag wie 2027-12-31.`);
  const end = Temporal.PlainDate.from(text).add({ days: 1 }).toZonedDateTime(timeZone).toInstant();
  if (end.epochMilliseconds <= now.getTime()) throw new CommandRefused(`Der Tag ${text} ist vorbei.`);
  return end.toString();
}

const MAX_FILE_BYTES = 4 * 2 ** 20;

/** A file of a few MiB at most, as text. */
export async function readShortFile(path = ''): Promise<string> {
  const { size } = await stat(path).catch(() => {
    throw new CommandRefused(`Die Datei „${path}“ gibt es nicht.`);
  });
  if (size > MAX_FILE_BYTES) throw new CommandRefused(`Die Datei „${path}“ ist größer als 4 MiB.`);
  return readFile(path, 'utf8').catch(() => {
    throw new CommandRefused(`Die Datei „${path}“ lässt sich nicht lesen.`);
  });
}

/** The bytes of a file. */
export async function readBytes(path: string, most: number): Promise<Buffer> {
  const { size } = await stat(path).catch(() => {
    throw new CommandRefused(`Die Datei „${path}“ gibt es nicht.`);
  });
  if (size > most) throw new CommandRefused(`Die Datei „${path}“ ist größer als ${most / 2 ** 20} MiB.`);
  return readFile(path).catch(() => {
    throw new CommandRefused(`Die Datei „${path}“ lässt sich nicht lesen.`);
  });
}
