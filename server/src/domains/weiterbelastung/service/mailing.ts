/** Statements of closed months by mail. */
import { v7 as uuidv7 } from 'uuid';
import type { abrechnungenVersand, abrechnungenVersenden, BodyOf, QueryOf, ResponseOf } from '#contracts';
import { lockMandant } from '#domains/mandant/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { enqueue } from '#jobs/index.ts';
import { toInstant, toInstantOrNull } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { mailwegOf } from '#platform/mail.ts';
import { cursorOf, pageOf } from '#platform/page.ts';
import { monthOpen, noMailServer } from '../errors.ts';
import { ABRECHNUNG_VERSENDEN } from '../jobs/abrechnung-versenden.ts';
import { requireMonth } from '../month.ts';
import { insertMailing, listMailings, type Mailing, mailedReferences } from '../store/mailings.ts';
import { type Bill, billOf } from './bill.ts';

type Result = ResponseOf<typeof abrechnungenVersenden>;
type Listed = ResponseOf<typeof abrechnungenVersand>['versendungen'][number];
type Order = BodyOf<typeof abrechnungenVersenden>;

/** Those that are charged something in the month, by reference, with the address they have today. */
function receivers({ lines, corrections, customers }: Bill, only: string | null | undefined) {
  const charged = new Set([...lines, ...corrections].map(({ referenz }) => referenz));
  return customers.all.filter(({ referenz }) => charged.has(referenz) && (only == null || only === referenz));
}

/** Who is sent to, and how many are left out and why. */
function sort(found: ReturnType<typeof receivers>, mailed: ReadonlySet<string>) {
  const result: Result = { versendet: 0, ohne_adresse: 0, schon_versendet: 0 };
  const to: { referenz: string; email: string }[] = [];
  for (const { referenz, email } of found) {
    if (email === null) result.ohne_adresse += 1;
    else if (mailed.has(referenz)) result.schon_versendet += 1;
    else to.push({ referenz, email });
  }
  return { to, result: { ...result, versendet: to.length } };
}

async function putIn(
  tx: MandantTx,
  to: { referenz: string; email: string }[],
  all: { monat: string; angefordert_am: string; angefordert_von: string | null },
): Promise<void> {
  for (const each of to) {
    const versendung_id = uuidv7();
    await insertMailing(tx, { versendung_id, ...each, ...all });
    await enqueue(tx, ABRECHNUNG_VERSENDEN, { versendung_id });
  }
}

/** Has statements sent; with `probe` nothing is stored. Throws 422; 409 where the month is open, or no mail can go. */
export async function sendStatements(
  { db, clock, config }: Pick<ServiceContext, 'db' | 'clock' | 'config'>,
  mandant: MandantId,
  akteur: Akteur,
  { monat: wanted, referenz: only, erneut, probe }: Order,
): Promise<Result> {
  if (!probe && mailwegOf(config) === 'log') throw noMailServer();
  const at = clock.now();
  const now = at.toTemporalInstant();
  return db.forMandant(mandant, async (tx) => {
    // Who asks for the same at the same time waits, and finds them sent.
    const { zeitzone: zone } = await lockMandant(tx);
    const monat = requireMonth(wanted, now, zone);
    const bill = await billOf({ tx, now, zone }, monat);
    if (!bill.closed) throw monthOpen();
    const mailed = erneut ? new Set<string>() : await mailedReferences(tx, monat);
    const { to, result } = sort(receivers(bill, only), mailed);
    if (probe) return result;
    await putIn(tx, to, { monat, angefordert_am: at.toISOString(), angefordert_von: akteur.name });
    await recordChange(tx, mandant, at, {
      akteur,
      aktion: 'abrechnung.versandt',
      objekt: { art: 'abrechnungsmonat', id: monat, name: monat },
      nachher: { ...result, ...(only == null ? {} : { referenz: only }) },
    });
    return result;
  });
}

/** What is in the outbox went nowhere yet. Of those of before this was followed nobody knows more than that they got there. */
function toApi({ post_id, uebergeben_am, ...row }: Mailing): Listed {
  const isQueued = row.status === 'versendet' && post_id !== null && uebergeben_am === null;
  return {
    ...row,
    status: isQueued ? 'in_warteschlange' : row.status,
    angefordert_am: toInstant(row.angefordert_am),
    erledigt_am: isQueued ? null : toInstantOrNull(uebergeben_am ?? row.erledigt_am),
  };
}

const LIST = cursorOf('weiterbelastung.versand', 'uuid');

/** A page of what was sent, the latest first. */
export async function readMailings(
  { db }: Pick<ServiceContext, 'db'>,
  mandant: MandantId,
  { limit, nach }: QueryOf<typeof abrechnungenVersand>,
): Promise<ResponseOf<typeof abrechnungenVersand>> {
  const before = LIST.read(nach)?.[0] ?? null;
  const found = await db.forMandant(mandant, (tx) => listMailings(tx, { limit: limit + 1, before }));
  const { rows, weiter } = pageOf(found, limit, LIST, ({ versendung_id }) => [versendung_id]);
  return {
    versendungen: rows.map(toApi),
    weiter,
  };
}
