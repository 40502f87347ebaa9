/** Proving that a mail domain belongs to the Mandant. */
import type { Resolver } from 'node:dns/promises';
import type { SsoDomain, Static } from '#contracts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { dnsSilent, domainNotClaimed, domainTaken } from '../errors.ts';
import { isProof, normaliseDomain, recordName } from '../rules.ts';
import { type DomainRow, lockDomain, markProven } from '../store/einstellungen.ts';
import { domainToApi } from '../to-api.ts';

/** Asks for TXT records; each comes in pieces. */
export type TxtResolver = Pick<Resolver, 'resolveTxt'>;

/** The name does not exist, or has no such record. */
const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA']);

async function readRecords(resolver: TxtResolver, name: string): Promise<string[][]> {
  try {
    return await resolver.resolveTxt(name);
  } catch (error) {
    if (NOTHING_THERE.has((error as { code?: string }).code ?? '')) return [];
    throw dnsSilent();
  }
}

/**
 * Notes that a claimed domain is proven; repeated (`neu` is false), it keeps the first instant. Throws 404 for one the Mandant has not
 * claimed and 409 for one that another Mandant has proven.
 */
export async function proveDomain(
  { clock }: Pick<ServiceContext, 'clock'>,
  tx: MandantTx,
  akteur: Akteur,
  domain: string,
): Promise<DomainRow & { neu: boolean }> {
  const before = await lockDomain(tx, domain);
  if (!before) throw domainNotClaimed();
  if (before.bewiesen_am !== null) return { ...before, neu: false };
  const now = clock.now();
  const bewiesen_am = now.toISOString();
  if (!(await markProven(tx, domain, bewiesen_am))) throw domainTaken();
  await recordChange(tx, tx.mandant, now, {
    akteur,
    aktion: 'sso.domain_bewiesen',
    objekt: { art: 'sso_domain', id: domain, name: domain },
    vorher: { status: 'offen' },
    nachher: { status: 'bewiesen' },
  });
  return { ...before, bewiesen_am, neu: true };
}

/** Looks for the TXT record; the domain stays open while it is not there. Throws as `proveDomain`, 503 without DNS. */
export async function checkDomain(
  context: ServiceContext,
  resolver: TxtResolver,
  mandant: MandantId,
  akteur: Akteur,
  text: string,
): Promise<Static<typeof SsoDomain>> {
  const domain = normaliseDomain(text);
  const claim = domain && (await context.db.forMandant(mandant, (tx) => lockDomain(tx, domain)));
  if (!claim) throw domainNotClaimed();
  if (claim.bewiesen_am !== null) return domainToApi(claim);
  const records = await readRecords(resolver, recordName(claim.domain));
  if (!isProof(records, claim.nachweis)) return domainToApi(claim);
  return domainToApi(
    await context.db.forMandant(mandant, (tx) => proveDomain(context, tx, akteur, claim.domain)),
  );
}
