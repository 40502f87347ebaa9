/** Statements of closed months by mail. */
import { v7 as uuidv7 } from 'uuid';
import type { abrechnungenVersand, abrechnungenVersenden, BodyOf, QueryOf, ResponseOf } from '#contracts';
import { lockMandant } from '#domains/mandant/index.ts';
import { addressKey, keptFrom, mailExhausted, reserveMails } from '#domains/postausgang/index.ts';
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
import { readClosedMonths } from '../store/months.ts';
import { type Bill, billOf } from './bill.ts';
import { momentOf } from './moment.ts';

type MailingCounts = ResponseOf<typeof abrechnungenVersenden>;
type ListedMailing = ResponseOf<typeof abrechnungenVersand>['versendungen'][number];
type MailingOrder = BodyOf<typeof abrechnungenVersenden>;

/** Those that are charged something in the month, by reference, with the address they have today. */
function receivers({ lines, corrections, customers }: Bill, only: string | null | undefined) {
  const charged = new Set([...lines, ...corrections].map(({ zahler }) => zahler));
  return customers.all.filter(({ referenz }) => charged.has(referenz) && (only == null || only === referenz));
}

interface Receiver {
  referenz: string;
  email: string;
}

/** Who has got the statement, who wants none, and whether it may go again. */
interface Before {
  mailed: ReadonlySet<string>;
  kept: ReadonlySet<string>;
  erneut: boolean;
}

/** Who is sent to, for the first time or again, and how many are left out and why. */
function sort(found: ReturnType<typeof receivers>, { mailed, kept, erneut }: Before) {
  const result: MailingCounts = {
    versendet: 0,
    ohne_adresse: 0,
    schon_versendet: 0,
    abgemeldet: 0,
    zurueckgestellt: 0,
  };
  const to = { abrechnung: [] as Receiver[], abrechnung_erneut: [] as Receiver[] };
  for (const { referenz, email } of found) {
    if (email === null) result.ohne_adresse += 1;
    else if (kept.has(addressKey(email))) result.abgemeldet += 1;
    else if (!mailed.has(referenz)) to.abrechnung.push({ referenz, email });
    else if (erneut) to.abrechnung_erneut.push({ referenz, email });
    else result.schon_versendet += 1;
  }
  return { to, result };
}

/** Those to whom a mail may leave now. Throws 429 where there is somebody to send to and no mail may. */
async function withinBudget(tx: MandantTx, to: ReturnType<typeof sort>['to'], probe: boolean) {
  const fitting: Receiver[] = [];
  const waits: Parameters<typeof mailExhausted>[0][] = [];
  for (const art of ['abrechnung', 'abrechnung_erneut'] as const) {
    const emails = to[art].map(({ email }) => email);
    const reserved = await reserveMails(tx, art, emails, { probe });
    fitting.push(...to[art].filter((_, index) => reserved.fits[index]));
    if (reserved.wait > 0) waits.push(reserved);
  }
  const [first] = waits.sort((a, b) => a.wait - b.wait);
  if (first && fitting.length === 0) throw mailExhausted(first);
  return fitting;
}

async function putIn(
  tx: MandantTx,
  to: Receiver[],
  all: { monat: string; angefordert_am: string; angefordert_von: string | null },
): Promise<void> {
  for (const each of to) {
    const versendung_id = uuidv7();
    await insertMailing(tx, { versendung_id, ...each, ...all });
    await enqueue(tx, ABRECHNUNG_VERSENDEN, { versendung_id });
  }
}

/**
 * Has statements sent, as many as may leave now; with `probe` nothing is stored. Throws 422; 409 where the month is open, no mail can go or
 * nobody has confirmed in whose name they go; 429 where there are some and none may leave.
 */
export async function sendStatements(
  context: Pick<ServiceContext, 'db' | 'clock' | 'config' | 'log'>,
  mandant: MandantId,
  akteur: Akteur,
  { monat: wanted, referenz: only, erneut, probe }: MailingOrder,
): Promise<MailingCounts> {
  const { db, clock, config } = context;
  if (!probe && mailwegOf(config) === 'log') throw noMailServer();
  const at = clock.now();
  const now = at.toTemporalInstant();
  return db.forMandant(mandant, async (tx) => {
    // Who asks for the same at the same time waits, and finds them sent.
    const { zeitzone: zone } = await lockMandant(tx);
    const monat = requireMonth(wanted, now, zone);
    const months = await readClosedMonths(tx);
    if (!months.some((closed) => closed.monat === monat)) throw monthOpen();
    const bill = await billOf(momentOf(context, { tx, now, zone }), monat);
    const mailed = await mailedReferences(tx, monat);
    const kept = await keptFrom(tx, 'abrechnung');
    const { to, result: left } = sort(receivers(bill, only), { mailed, kept, erneut });
    const fitting = await withinBudget(tx, to, probe);
    const all = to.abrechnung.length + to.abrechnung_erneut.length;
    const result = { ...left, versendet: fitting.length, zurueckgestellt: all - fitting.length };
    if (probe) return result;
    await putIn(tx, fitting, { monat, angefordert_am: at.toISOString(), angefordert_von: akteur.name });
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
function toApi({ post_id, uebergeben_am, ...row }: Mailing): Omit<ListedMailing, 'abgemeldet'> {
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
  const { found, kept } = await db.forMandant(mandant, async (tx) => ({
    found: await listMailings(tx, { limit: limit + 1, before }),
    kept: await keptFrom(tx, 'abrechnung'),
  }));
  const { rows, weiter } = pageOf(found, limit, LIST, ({ versendung_id }) => [versendung_id]);
  return {
    versendungen: rows.map((row) => ({ ...toApi(row), abgemeldet: kept.has(addressKey(row.email)) })),
    weiter,
  };
}
