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
