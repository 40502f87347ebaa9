/** What people have said about mail that a Mandant sends them: that they want it, or that they do not. */
import type { postEmpfangLesen, ResponseOf } from '#contracts';
import { recordChange, SYSTEM } from '#domains/protokoll/index.ts';
import { toInstantOrNull } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { addressKey } from './budget.ts';
import { receiptLinkInvalid } from './errors.ts';
import { type EmpfangArt, openReceipt, type ReceiptToken, sealReceipt } from './receipt-token.ts';

type Empfang = 'bestaetigt' | 'wartet' | 'abgemeldet';

/** Where the recipient of a mail stops mail of its kind: a page, and what mail programs call by themselves (RFC 8058). */
export interface StopLinks {
  seite: string;
  klick: string;
}

type Linking = Pick<ServiceContext, 'config' | 'secrets'>;

export function stopLinks(
  { config, secrets }: Linking,
  mandant: MandantId,
  art: EmpfangArt,
  email: string,
): StopLinks {
  const token = sealReceipt(secrets, { mandant, art, adresse: addressKey(email), bis: null });
  return {
    seite: `${config.baseUrl}/post?token=${token}`,
    klick: `${config.baseUrl}/v1/post/abmelden?token=${token}`,
  };
}

const rowsOf = (tx: MandantTx, art: EmpfangArt) =>
  tx.selectFrom('postempfaenger').where('mandant_id', '=', tx.mandant).where('art', '=', art);

/** The addresses that do not want this kind of mail, as `addressKey` has them. */
export async function keptFrom(tx: MandantTx, art: EmpfangArt): Promise<Set<string>> {
  const rows = await rowsOf(tx, art).select('adresse').where('abgemeldet_am', 'is not', null).execute();
  return new Set(rows.map(({ adresse }) => addressKey(adresse)));
}

/** Addresses of the Mandant's own users who have proven them. */
async function provenUsers(tx: MandantTx): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('benutzer')
    .select('email')
    .where('aktiv', '=', true)
    .where('email_bestaetigt_am', 'is not', null)
    .where('email_verloren_am', 'is', null)
    .execute();
  return new Set(rows.map(({ email }) => addressKey(email)));
}

export interface Recipient {
  email: string;
  empfang: Empfang;
  /** When somebody there was asked last; null when nobody was. */
  angefragt_am: string | null;
}

/** Whether alarms may go to each of the addresses: people there have agreed, or are users who have proven the address. */
export async function recipientsOf(tx: MandantTx, emails: string[]): Promise<Recipient[]> {
  if (emails.length === 0) return [];
  const rows = await rowsOf(tx, 'alarm').selectAll().execute();
  const known = new Map(rows.map((row) => [addressKey(row.adresse), row]));
  const users = await provenUsers(tx);
  return emails.map((email) => {
    const row = known.get(addressKey(email));
    const agreed = row?.bestaetigt_am || users.has(addressKey(email));
    const empfang = row?.abgemeldet_am ? 'abgemeldet' : agreed ? 'bestaetigt' : 'wartet';
    return { email, empfang, angefragt_am: toInstantOrNull(row?.angefragt_am ?? null) };
  });
}

/** Forgets what people said about alarms who are to get none any more; that they do not want them stays known. */
export async function forgetRecipients(tx: MandantTx, kept: string[]): Promise<void> {
  const keep = new Set(kept.map(addressKey));
  const rows = await rowsOf(tx, 'alarm').select('adresse').where('abgemeldet_am', 'is', null).execute();
  const gone = rows.map(({ adresse }) => adresse).filter((adresse) => !keep.has(addressKey(adresse)));
  if (gone.length > 0)
    await tx
      .deleteFrom('postempfaenger')
      .where('mandant_id', '=', tx.mandant)
      .where('art', '=', 'alarm')
      .where('adresse', 'in', gone)
      .execute();
}

async function companyOf(tx: MandantTx): Promise<string> {
  const row = await tx
    .selectFrom('mandanten')
    .select('firma')
    .where('status', '=', 'aktiv')
    .executeTakeFirst();
  if (!row) throw receiptLinkInvalid();
  return row.firma;
}

async function empfangOf(tx: MandantTx, { art, adresse }: ReceiptToken): Promise<Empfang> {
  if (art === 'alarm') return (await recipientsOf(tx, [adresse]))[0]?.empfang ?? 'wartet';
  return (await keptFrom(tx, art)).has(adresse) ? 'abgemeldet' : 'bestaetigt';
}

type Answer = ResponseOf<typeof postEmpfangLesen>;

const answer = async (tx: MandantTx, token: ReceiptToken): Promise<Answer> => ({
  art: token.art,
  firma: await companyOf(tx),
  adresse: token.adresse,
  empfang: await empfangOf(tx, token),
});

type Context = Pick<ServiceContext, 'db' | 'clock' | 'secrets'>;

function opened({ secrets, clock }: Context, text: string): ReceiptToken {
  const token = openReceipt(secrets, text, clock.now());
  if (!token) throw receiptLinkInvalid();
  return token;
}

/** What a link is about. Throws 404 `link_ungueltig`. */
export function readReceipt(context: Context, text: string): Promise<Answer> {
  const token = opened(context, text);
  return context.db.forMandant(token.mandant, (tx) => answer(tx, token));
}

/** Does what somebody at the address wants. Throws 404 `link_ungueltig`. */
export function setReceipt(
  context: Context,
  text: string,
  empfangen: boolean,
  netz: string | null,
): Promise<Answer> {
  const token = opened(context, text);
  const { art, adresse, mandant } = token;
  return context.db.forMandant(mandant, async (tx) => {
    const before = await answer(tx, token);
    if (before.empfang === (empfangen ? 'bestaetigt' : 'abgemeldet')) return before;
    const now = context.clock.now();
    const at = now.toISOString();
    const said = empfangen ? { bestaetigt_am: at, abgemeldet_am: null } : { abgemeldet_am: at };
    await tx
      .insertInto('postempfaenger')
      .values({ mandant_id: mandant, art, adresse, ...said })
      .onConflict((conflict) => conflict.columns(['mandant_id', 'art', 'adresse']).doUpdateSet(said))
      .execute();
    const after = await answer(tx, token);
    await recordChange(tx, mandant, now, {
      akteur: { ...SYSTEM, adresse: netz },
      aktion: empfangen ? 'post.bestaetigt' : 'post.abgemeldet',
      objekt: { art: 'empfaenger', id: adresse, name: adresse },
      vorher: { art, empfang: before.empfang },
      nachher: { art, empfang: after.empfang },
    });
    return after;
  });
}
