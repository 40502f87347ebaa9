/** What the commands about licences say alike. */
import { validate as isUuid } from 'uuid';
import type { Wahl } from '#domains/lizenzen/index.ts';
import { InvalidInput } from '#kernel/errors.ts';
import { CommandRefused } from './command.ts';

/** What a value is refused for becomes the sentence of the command. */
export function refused<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof InvalidInput)) throw error;
    const sentences = error.faults.map((fault) => {
      if ('reason' in fault) return fault.reason.de;
      return 'expected' in fault
        ? `${fault.path.join('.')} muss eines von ${fault.expected.join(', ')} sein.`
        : `${fault.path.join('.')}: ${fault.msg}`;
    });
    throw new CommandRefused(sentences.join(' '), { cause: error });
  });
}

/** A licence as it is typed: by its id, its fingerprint, or the customer it was made out to. */
export function wahlOf(text = ''): Wahl {
  if (isUuid(text)) return { lizenz_id: text.toLowerCase() };
  return /^[0-9a-f]{64}$/i.test(text) ? { fingerabdruck: text } : { kunde: text };
}

const counted = (count: number) => (count === 1 ? '1 Lizenz' : `${count} Lizenzen`);

/** What became of it, as a sentence. */
export function outcomeOf(
  verb: 'gesperrt' | 'entsperrt',
  { lizenzen, geaendert, nummer }: { lizenzen: unknown[]; geaendert: unknown[]; nummer: number },
): string {
  const others = lizenzen.length - geaendert.length;
  const rest = others > 0 ? `, ${counted(others)} ${others === 1 ? 'war' : 'waren'} es schon` : '';
  return `${counted(geaendert.length)} ${verb}${rest}. Die Sperrliste hat die Nummer ${nummer}.`;
}
