/**
 * How much mail may leave. Each budget is one number in the database, until when what was used of it has come back: counted in the
 * transaction that puts the mail in, so that what is undone is not counted, and several processes share it.
 */
import { sql } from 'kysely';
import { normaliseEmail } from '#kernel/email.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { hashOf } from '#platform/secret.ts';
import { type ArtName, artOf, type Budget, UNPROVEN } from './arten.ts';
import { mailExhausted, mailUnproven } from './errors.ts';
import { hasProvenInhaber } from './proven.ts';

/** An address as it is compared and counted. */
export const addressKey = (email: string): string => normaliseEmail(email).toLowerCase();

const subjectOf = (je: Budget['je'], mandant: string, address: string): string =>
  je === 'mandant' ? mandant : je === 'adresse' ? address : `${mandant} ${address}`;

const kontoOf = ({ name, je }: Budget, mandant: string, address: string): string =>
  hashOf(`${name}/${je}:${subjectOf(je, mandant, address)}`).toString('hex');

/** Milliseconds for which one mail of the budget is gone. */
const timeOf = ({ most, seconds }: Budget): number => (seconds * 1_000) / most;
/** Sums of fractions miss whole numbers by less. */
const ROUNDING = 0.5;

/** Milliseconds until there is room for one more; 0 when there is. */
export function waitFor(budget: Budget, rest: number): number {
  const wait = rest + timeOf(budget) - budget.seconds * 1_000;
  return wait > ROUNDING ? wait : 0;
}

/** What has still to come back of each, in milliseconds; nobody else counts on them until the transaction ends. In one order, so that two who count cannot wait for each other. */
async function lockRests(tx: MandantTx, konten: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ konto: string; rest: number }>`
    INSERT INTO postbudgets AS b (konto, bis)
    SELECT decode(konto, 'hex'), now() FROM unnest(${konten}::text[]) AS gefragt (konto) ORDER BY 1
    ON CONFLICT (konto) DO UPDATE SET bis = b.bis
    RETURNING encode(konto, 'hex') AS konto,
      greatest(0, extract(epoch FROM bis - now()) * 1000)::float8 AS rest`.execute(tx);
  return new Map(rows.map(({ konto, rest }) => [konto, rest]));
}

async function writeRests(tx: MandantTx, rests: Map<string, number>): Promise<void> {
  await sql`
    UPDATE postbudgets b SET bis = now() + neu.rest * interval '1 millisecond'
    FROM unnest(${[...rests.keys()]}::text[], ${[...rests.values()]}::float8[]) AS neu (konto, rest)
    WHERE b.konto = decode(neu.konto, 'hex')`.execute(tx);
}

export interface Reserved {
  /** Whether the mail to each address may leave, in the order they were named. */
  fits: boolean[];
  /** Seconds until the next of those that may not leave has room; 0 when all may. */
  wait: number;
  /** Whether it is the whole Mandant that has no room left, not an address alone. */
  mandantExhausted: boolean;
  /** Whether what leaves is held until an inhaber has confirmed the own address. */
  held: boolean;
}

/** Takes what fits, address by address; `used` is changed. */
function take(tx: MandantTx, budgets: readonly Budget[], addresses: string[], used: Map<string, number>) {
  const result = { fits: [] as boolean[], wait: 0, mandantExhausted: false };
  const open = new Map<string, number>();
  for (const address of addresses) {
    const key = addressKey(address);
    const konten = budgets.map((budget) => ({ budget, konto: kontoOf(budget, tx.mandant, key) }));
    const full = konten
      .map(({ budget, konto }) => ({ je: budget.je, wait: waitFor(budget, used.get(konto) ?? 0) }))
      .filter(({ wait }) => wait > 0);
    result.fits.push(full.length === 0);
    if (full.length === 0)
      for (const { budget, konto } of konten) {
        const rest = (used.get(konto) ?? 0) + timeOf(budget);
        used.set(konto, rest);
        open.set(konto, rest);
      }
    else {
      const wait = Math.max(1, Math.ceil(Math.max(...full.map((one) => one.wait)) / 1_000));
      result.wait = result.wait === 0 ? wait : Math.min(result.wait, wait);
      result.mandantExhausted ||= full.some(({ je }) => je === 'mandant');
    }
  }
  return { ...result, changed: open };
}

/**
 * Counts mails of a kind to these addresses, as far as they fit; with `probe` it only tells which would. Throws 409 `post_unbestaetigt` for a kind that needs an inhaber with
 * a confirmed address while there is none.
 */
export async function reserveMails(
  tx: MandantTx,
  art: ArtName,
  addresses: string[],
  { probe = false } = {},
): Promise<Reserved> {
  const { an, unbestaetigt, budgets } = artOf(art);
  if (addresses.length === 0) return { fits: [], wait: 0, mandantExhausted: false, held: false };
  const held = an === 'fremd' && !(await hasProvenInhaber(tx));
  if (held && unbestaetigt !== 'haelt') throw mailUnproven();
  const all = held ? [UNPROVEN, ...budgets] : budgets;
  if (all.length === 0) return { fits: addresses.map(() => true), wait: 0, mandantExhausted: false, held };
  const konten = new Set(
    addresses.flatMap((address) => all.map((budget) => kontoOf(budget, tx.mandant, addressKey(address)))),
  );
  const used = await lockRests(tx, [...konten]);
  const { changed, ...result } = take(tx, all, addresses, used);
  if (changed.size > 0 && !probe) await writeRests(tx, changed);
  return { ...result, held };
}

/** Takes one of a budget of the Mandant that is not for mail; resolves with the seconds until there is room, 0 when it was taken. */
export async function spend(tx: MandantTx, budget: Budget): Promise<number> {
  const used = await lockRests(tx, [kontoOf(budget, tx.mandant, '')]);
  const { changed, wait } = take(tx, [budget], [''], used);
  if (changed.size > 0) await writeRests(tx, changed);
  return wait;
}

/** The same for one mail, which is refused (429) where it does not fit. Resolves with whether it is held. */
export async function reserveMail(tx: MandantTx, art: ArtName, address: string): Promise<{ held: boolean }> {
  const reserved = await reserveMails(tx, art, [address]);
  if (reserved.wait > 0) throw mailExhausted(reserved);
  return reserved;
}
