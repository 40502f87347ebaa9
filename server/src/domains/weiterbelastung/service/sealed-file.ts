/** Files of a month that are read while they are made: in the audit log with their SHA-256 once they are complete. */
import { createHash } from 'node:crypto';
import { Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { Bill } from './bill.ts';

/** Who asks for a file of which month; the current one where none is named. */
export interface FileOrder {
  mandant: MandantId;
  akteur: Akteur;
  monat: string | undefined;
}

/** A file on its way, and what else the audit log is to say of it once it is complete. */
interface SealedFile {
  format: string;
  bill: Pick<Bill, 'monat' | 'status'>;
  more?: () => Record<string, unknown>;
}

/** Takes the fingerprint of what passes; the audit log has it before the end is handed on. */
export function sealingOf(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  { mandant, akteur }: FileOrder,
  { format, bill: { monat, status }, more }: SealedFile,
): Transform {
  const hash = createHash('sha256');
  const record = () =>
    db.forMandant(mandant, (tx) =>
      recordChange(tx, mandant, clock.now(), {
        akteur,
        aktion: 'weiterbelastung.ausgegeben',
        objekt: { art: 'abrechnungsmonat', id: monat, name: monat },
        nachher: { format, status, ...more?.(), sha256: hash.digest('hex') },
      }),
    );
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      record().then(() => done(), done);
    },
  });
}

/** Writes a text piece by piece, sealed, within a bound of milliseconds. */
export const writeText = (
  pieces: AsyncIterable<string>,
  sealing: Transform,
  writer: Writable,
  longest: number,
): Promise<void> =>
  pipeline(Readable.from(pieces), sealing, writer, { signal: AbortSignal.timeout(longest) });
