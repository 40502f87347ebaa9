/** SQL of a Mandant's provider and the domains that lead to it. Instants go in and come out as ISO 8601 in UTC. */
import type { MandantId } from '#kernel/mandant-id.ts';
import type { MandantTx, RequestClient } from '#platform/database/index.ts';

export interface AnbieterRow {
  aktiv: boolean;
  issuer: string;
  client_id: string;
  /** Sealed; null for a client without a secret. */
  client_secret: Buffer | null;
  rolle_neu: 'verwalter' | 'bearbeiter' | 'buchhaltung' | 'betrachter';
  name: string;
  /** Whether an inhaber chose the issuer and the client there. */
  von_inhaber: boolean;
}

export interface DomainRow {
  domain: string;
  /** What the TXT record must say. */
  nachweis: string;
  bewiesen_am: string | null;
}

const ANBIETER = [
  'aktiv',
  'issuer',
  'client_id',
  'client_secret',
  'rolle_neu',
  'name',
  'von_inhaber',
] as const;
const DOMAIN = ['domain', 'nachweis', 'bewiesen_am'] as const;

export function readAnbieter(tx: MandantTx): Promise<AnbieterRow | undefined> {
  return tx.selectFrom('sso_anbieter').select(ANBIETER).executeTakeFirst();
}

/** Holds the provider until the transaction ends: what is decided by it holds when it is written. */
export function lockAnbieter(tx: MandantTx): Promise<AnbieterRow | undefined> {
  return tx.selectFrom('sso_anbieter').select(ANBIETER).forUpdate().executeTakeFirst();
}

export async function writeAnbieter(tx: MandantTx, mandant: MandantId, row: AnbieterRow): Promise<void> {
  await tx
    .insertInto('sso_anbieter')
    .values({ mandant_id: mandant, ...row })
    .onConflict((conflict) => conflict.column('mandant_id').doUpdateSet(row))
    .execute();
}

/** With it go its domains and the logins under way. */
export async function deleteAnbieter(tx: MandantTx): Promise<void> {
  await tx.deleteFrom('sso_anbieter').execute();
}

/** By name. */
export function listDomains(tx: MandantTx): Promise<DomainRow[]> {
  return tx.selectFrom('sso_domains').select(DOMAIN).orderBy('domain').execute();
}

export async function insertDomains(
  tx: MandantTx,
  mandant: MandantId,
  domains: { domain: string; nachweis: string }[],
): Promise<void> {
  if (domains.length === 0) return;
  await tx
    .insertInto('sso_domains')
    .values(domains.map((row) => ({ mandant_id: mandant, ...row })))
    .execute();
}

export async function deleteDomains(tx: MandantTx, domains: string[]): Promise<void> {
  if (domains.length === 0) return;
  await tx.deleteFrom('sso_domains').where('domain', 'in', domains).execute();
}

/** A claim, held until the transaction ends. */
export function lockDomain(tx: MandantTx, domain: string): Promise<DomainRow | undefined> {
  return tx
    .selectFrom('sso_domains')
    .select(DOMAIN)
    .where('domain', '=', domain)
    .forUpdate()
    .executeTakeFirst();
}

const ONE_OWNER = 'sso_domains_bewiesen';

/** False when another Mandant has proven the domain; the transaction is then of no further use. */
export async function markProven(tx: MandantTx, domain: string, now: string): Promise<boolean> {
  try {
    await tx.updateTable('sso_domains').set({ bewiesen_am: now }).where('domain', '=', domain).execute();
    return true;
  } catch (error) {
    if ((error as { constraint?: string }).constraint === ONE_OWNER) return false;
    throw error;
  }
}

/** The Mandant whose provider a mail domain leads to, and the provider's name. */
export const findByDomain = (client: RequestClient, domain: string) => client.ask('zw_domain_finden', domain);
