/** Reading what is typed. */
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
