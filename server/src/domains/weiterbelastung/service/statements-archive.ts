/** The statements of all end customers of a month, as one archive. */
import type { Readable } from 'node:stream';
import { readMandant } from '#domains/mandant/index.ts';
import { AppError } from '#kernel/errors.ts';
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
import { documentOf, issuedBefore, keepAsIssued, modelOf } from './documents.ts';
import { inPortions } from './groups.ts';
import { type Moment, momentOf } from './moment.ts';
import { postenBehindSeveral, type SharesBehind } from './posten-behind.ts';
import { type FileOrder, sealingOf } from './sealed-file.ts';
import { netOf, ownerOf, type StatementOwner, statementOf } from './statement.ts';

export interface StatementsArchive {
  /** A ZIP archive; it breaks off without its end when something fails. Destroyed, it ends the making. */
  stream: Readable;
  fileName: string;
}

/** A usual statement, in bytes. */
const EXPECTED = 40_000;

/** A row of the list that lies beside the statements. */
interface ListedStatement {
  /** Null where it could not be made. */
  datei: string | null;
  referenz: string;
  name: string | null;
  belegnummer: string;
  netto_eur: string | null;
  hinweis: string | null;
}

const LIST = [
  { head: 'Datei', kind: 'text', cell: ({ datei }: ListedStatement) => datei },
  { head: 'Referenz', kind: 'text', cell: ({ referenz }: ListedStatement) => referenz },
  { head: 'Endkunde', kind: 'text', cell: ({ name, referenz }: ListedStatement) => name ?? referenz },
  { head: 'Belegnummer', kind: 'text', cell: ({ belegnummer }: ListedStatement) => belegnummer },
  { head: 'Betrag netto EUR', kind: 'amount', cell: ({ netto_eur }: ListedStatement) => netto_eur },
  { head: 'Hinweis', kind: 'text', cell: ({ hinweis }: ListedStatement) => hinweis },
] as const;

const NOT_MADE = 'Diese Abrechnung ließ sich nicht erstellen und fehlt im Archiv.';

/** Those that are charged something in the month, in the order of their references. */
const chargedIn = ({ lines, corrections }: Bill): string[] =>
  [...new Set([...lines, ...corrections].map(({ zahler }) => zahler))].sort();

/** What the statements of one archive are made of. */
interface Source {
  context: Pick<ServiceContext, 'db' | 'clock' | 'documents' | 'log'>;
  moment: Moment;
  bill: Bill;
  absender: Statement['absender'];
}

/** Whose statement is to be made; with what stands behind its line where the month is open. */
type OwnerInTurn = StatementOwner & { behind?: SharesBehind };

async function setNow({ context, moment, bill, absender }: Source, owner: OwnerInTurn) {
  const { mandant } = moment.tx;
  const model = modelOf(moment, absender, await statementOf(moment, bill, owner, owner.behind));
  const made = {
    ...documentOf(await makeStatement(context.documents, mandant, model, { patient: true })),
    monat: bill.monat,
    status: bill.status,
    referenz: owner.row.referenz,
    belegnummer: owner.line.belegnummer,
    absender: absender.name,
  };
  // Kept before it is in the archive: what somebody may have read is there.
  return context.db.forMandant(mandant, (tx) => keepAsIssued(tx, made, context.clock.now()));
}

/**
 * As it was issued, where it was. Null where it cannot be made: its parts do not make the whole, or it takes too long. All others go, and
 * the list says so.
 */
async function documentIn(source: Source, owner: OwnerInTurn): Promise<Uint8Array | null> {
  const { context, moment, bill } = source;
  try {
    const { bytes } = (await issuedBefore(moment.tx, bill, owner)) ?? (await setNow(source, owner));
    return bytes;
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof AppError)) throw error;
    const { mandant } = moment.tx;
    context.log.error({ mandant, referenz: owner.row.referenz, err: error }, 'statement not made');
    return null;
  }
}

/** In the order of their references. What stands behind lines that are not closed is asked of many at a time, before their turn. */
async function* ownersOf({ moment, bill }: Source): AsyncGenerator<OwnerInTurn, void> {
  const owners = chargedIn(bill).map((referenz) => ownerOf(bill, referenz));
  if (bill.closed) return yield* owners;
  const asked = inPortions(owners, {
    ask: (some) =>
      postenBehindSeveral(
        moment,
        bill,
        some.map(({ row }) => row),
      ),
  });
  for await (const { some, answer } of asked)
    for (const owner of some) {
      const behind = answer.get(owner.row.referenz);
      yield behind ? { ...owner, behind } : owner;
    }
}

/** One file for each end customer, made when its turn comes, then a list of them, which is also put into `listed`. */
async function* filesOf(source: Source, listed: ListedStatement[]): AsyncGenerator<ArchiveFile, void> {
  const { bill } = source;
  const names = uniqueNames(chargedIn(bill));
  for await (const owner of ownersOf(source)) {
    const bytes = await documentIn(source, owner);
    const name = `abrechnung-${bill.monat}-${names[listed.length]}.pdf`;
    listed.push({
      datei: bytes && name,
      referenz: owner.row.referenz,
      name: owner.line.name,
      belegnummer: owner.line.belegnummer,
      netto_eur: netOf(owner),
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

async function writeStatements(
  context: ServiceContext,
  { longest, ...order }: FileOrder & { longest: number },
  { open, started }: Target<Omit<StatementsArchive, 'stream'>>,
): Promise<void> {
  const { db, clock } = context;
  const { mandant } = order;
  const at = clock.now();
  const now = at.toTemporalInstant();
  const wanted = await db.forMandant(mandant, async (tx) => {
    const month = requireMonth(order.monat, now, (await readMandant(tx)).zeitzone);
    return { month, sender: await readSenderOf(tx, month) };
  });
  const absender = await withLogo(context, mandant, wanted.sender);
  await db.snapshot(mandant, async ({ tx }) => {
    const { zeitzone: zone } = await readMandant(tx);
    const moment = momentOf(context, { tx, now, zone });
    const bill = await billOf(moment, wanted.month);
    const listed: ListedStatement[] = [];
    const files = filesOf({ context, moment, bill, absender }, listed);
    const writer = await open(chargedIn(bill).length * EXPECTED);
    started({ fileName: `abrechnungen-${bill.monat}.zip` });
    const counts = () => {
      const fehlend = listed.filter(({ hinweis }) => hinweis !== null).length;
      return { abrechnungen: listed.length - fehlend, fehlend };
    };
    const through = sealingOf(context, order, { format: 'zip', bill, more: counts });
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
  order: FileOrder,
): Promise<StatementsArchive> =>
  startArchive(context.log, shared, order.mandant, (target) =>
    writeStatements(context, { ...order, longest: shared.longest }, target),
  );
