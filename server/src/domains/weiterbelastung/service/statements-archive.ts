/** The statements of all end customers of a month, as one archive. */
import { createHash, type Hash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { readMandant } from '#domains/mandant/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { AppError } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { type ArchiveFile, createArchive, writeArchive } from '#platform/archive.ts';
import { type Shared, startArchive, type Target } from '#platform/archive-room.ts';
import type { ServiceContext } from '#platform/context.ts';
import { csvOf } from '#platform/csv.ts';
import { uniqueNames } from '../file-names.ts';
import { requireMonth } from '../month.ts';
import { makeStatement } from '../statement/make.ts';
import type { Statement } from '../statement/model.ts';
import { type Bill, billOf } from './bill.ts';
import { readSenderOf, withLogo } from './brand.ts';
import { modelOf } from './documents.ts';
import type { Moment } from './moment.ts';
import { type Figures, statementOf } from './statement.ts';

export interface StatementsArchive {
  /** A ZIP archive; it breaks off without its end when something fails. Destroyed, it ends the making. */
  stream: Readable;
  fileName: string;
}

/** A usual statement, in bytes. */
const EXPECTED = 40_000;

/** A row of the list that lies beside the statements. */
interface Listed {
  /** Null where it could not be made. */
  datei: string | null;
  referenz: string;
  name: string | null;
  belegnummer: string;
  netto_eur: string | null;
  hinweis: string | null;
}

const LIST = [
  { head: 'Datei', kind: 'text', cell: ({ datei }: Listed) => datei },
  { head: 'Referenz', kind: 'text', cell: ({ referenz }: Listed) => referenz },
  { head: 'Endkunde', kind: 'text', cell: ({ name, referenz }: Listed) => name ?? referenz },
  { head: 'Belegnummer', kind: 'text', cell: ({ belegnummer }: Listed) => belegnummer },
  { head: 'Betrag netto EUR', kind: 'amount', cell: ({ netto_eur }: Listed) => netto_eur },
  { head: 'Hinweis', kind: 'text', cell: ({ hinweis }: Listed) => hinweis },
] as const;

const NOT_MADE = 'Diese Abrechnung ließ sich nicht erstellen und fehlt im Archiv.';

/** Those that are charged something in the month, in the order of their references. */
const chargedIn = ({ lines, corrections }: Bill): string[] =>
  [...new Set([...lines, ...corrections].map(({ zahler }) => zahler))].sort();

/** What the statements of one archive are made of. */
interface Source {
  context: Pick<ServiceContext, 'documents' | 'log'>;
  moment: Moment;
  bill: Bill;
  absender: Statement['absender'];
}

/** Null where it cannot be made: its parts do not make the whole, or it takes too long. All others go, and the list says so. */
async function madeOf({ context, moment, absender }: Source, figures: Figures): Promise<Uint8Array | null> {
  const { mandant } = moment.tx;
  try {
    const model = modelOf(moment, absender, figures);
    return await makeStatement(context.documents, mandant, model, { patient: true });
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof AppError)) throw error;
    context.log.error({ mandant, referenz: figures.zeile.referenz, err: error }, 'statement not made');
    return null;
  }
}

/** One file for each end customer, made when its turn comes, then a list of them, which is also put into `listed`. */
async function* filesOf(source: Source, listed: Listed[]): AsyncGenerator<ArchiveFile, void> {
  const { moment, bill } = source;
  const references = chargedIn(bill);
  const names = uniqueNames(references);
  for (const [index, referenz] of references.entries()) {
    const figures = await statementOf(moment, bill, referenz);
    const bytes = await madeOf(source, figures);
    const name = `abrechnung-${bill.monat}-${names[index]}.pdf`;
    listed.push({
      datei: bytes && name,
      referenz,
      name: figures.zeile.name,
      belegnummer: figures.zeile.belegnummer,
      netto_eur: figures.netto_eur,
      hinweis: bytes ? null : NOT_MADE,
    });
    if (bytes)
      yield {
        name,
        async *content() {
          yield bytes;
        },
      };
  }
  yield { name: `abrechnungen-${bill.monat}.csv`, content: () => csvOf(LIST, [listed]) };
}

/** Takes the fingerprint of what passes; `sealed` is done before the end is handed on. */
const fingerprinted = (hash: Hash, sealed: () => Promise<void>) =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      sealed().then(() => done(), done);
    },
  });

interface Order {
  mandant: MandantId;
  akteur: Akteur;
  monat: string | undefined;
  longest: number;
}

async function writeStatements(
  context: ServiceContext,
  { mandant, akteur, monat, longest }: Order,
  { open, started }: Target<Omit<StatementsArchive, 'stream'>>,
): Promise<void> {
  const { db, clock } = context;
  const at = clock.now();
  const now = at.toTemporalInstant();
  const wanted = await db.forMandant(mandant, async (tx) => {
    const month = requireMonth(monat, now, (await readMandant(tx)).zeitzone);
    return { month, sender: await readSenderOf(tx, month) };
  });
  const absender = await withLogo(context, mandant, wanted.sender);
  await db.snapshot(mandant, async ({ tx }) => {
    const { zeitzone: zone } = await readMandant(tx);
    const moment = { tx, now, zone };
    const bill = await billOf(moment, wanted.month);
    const listed: Listed[] = [];
    const files = filesOf({ context, moment, bill, absender }, listed);
    const writer = await open(chargedIn(bill).length * EXPECTED);
    started({ fileName: `abrechnungen-${bill.monat}.zip` });
    const hash = createHash('sha256');
    const record = () =>
      db.forMandant(mandant, (own) => {
        const fehlend = listed.filter(({ hinweis }) => hinweis !== null).length;
        return recordChange(own, mandant, clock.now(), {
          akteur,
          aktion: 'weiterbelastung.ausgegeben',
          objekt: { art: 'abrechnungsmonat', id: bill.monat, name: bill.monat },
          nachher: {
            format: 'zip',
            status: bill.status,
            abrechnungen: listed.length - fehlend,
            fehlend,
            sha256: hash.digest('hex'),
          },
        });
      });
    const through = fingerprinted(hash, record);
    await writeArchive(createArchive(files, at), writer, { longest, through });
  });
}

/**
 * Begins the archive of a month; resolves once there is something to read. It is of one moment, and in the audit log with its SHA-256
 * once it is complete. Throws 422 for a month that cannot be, 429 when too many are under way, 503 without room for it.
 */
export const startStatements = (
  context: ServiceContext,
  shared: Shared,
  order: Omit<Order, 'longest'>,
): Promise<StatementsArchive> =>
  startArchive(context.log, shared, order.mandant, (target) =>
    writeStatements(context, { ...order, longest: shared.longest }, target),
  );
