/** Documents that come with mails. */
import { oneLine } from '#kernel/name.ts';
import type { Anhang } from '#platform/mail.ts';

/** What all attachments of a mail may weigh together, in bytes: packed for mail it is a third more, and mailboxes take 10 MB or more. */
export const MAX_ATTACHED = 5 * 1024 * 1024;

/** What systems take for a part of a path, or not at all, in the name of a file. */
const NOT_IN_NAMES = /[/\\:*?"<>|]/g;
const LONGEST_NAME = 120;

/** A document as an attachment; its name becomes one that every system takes, the ending stays. */
export function attachment(dateiname: string, typ: string, bytes: Uint8Array): Anhang {
  const dot = dateiname.lastIndexOf('.');
  const [stem, ending] =
    dot < 0 ? [dateiname, ''] : [dateiname.slice(0, dot), dateiname.slice(dot).slice(0, 10)];
  const name = (text: string) => oneLine(text).replaceAll(NOT_IN_NAMES, '-');
  const short = [...name(stem)].slice(0, LONGEST_NAME).join('').trim();
  const inhalt = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return { dateiname: `${short || 'anhang'}${name(ending)}`, typ, inhalt };
}

/** Throws RangeError when the attachments are more than a mail carries: what cannot arrive is not put into the outbox. */
export function requireCarriable(anhaenge: readonly Anhang[] = []): void {
  const bytes = anhaenge.reduce((sum, { inhalt }) => sum + Buffer.byteLength(inhalt, 'base64'), 0);
  if (bytes > MAX_ATTACHED)
    throw new RangeError(`attachments of ${bytes} bytes; a mail carries ${MAX_ATTACHED}`);
}
