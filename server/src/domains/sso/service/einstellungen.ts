/** Setting up the provider. */
import type { BodyOf, Sso, Static, ssoSetzen } from '#contracts';
import { readMandant, requireFunktion } from '#domains/mandant/index.ts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import type { Rolle } from '#domains/zugang/index.ts';
import { InvalidInput, type ValueFault } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { requireName } from '#kernel/name.ts';
import type { Sentence } from '#kernel/sentence.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { randomSecret } from '#platform/secret.ts';
import { noProviderAt } from '../errors.ts';
import { ISSUER_CHECKS } from '../limits.ts';
import { reasonOf, requireDescribed } from '../provider.ts';
import { isPublicMail, issuerProblem, normaliseDomain, normaliseIssuer } from '../rules.ts';
import {
  type AnbieterRow,
  type DomainRow,
  deleteAnbieter,
  deleteDomains,
  insertDomains,
  listDomains,
  lockAnbieter,
  readAnbieter,
  writeAnbieter,
} from '../store/einstellungen.ts';
import { ssoToApi } from '../to-api.ts';

type Input = BodyOf<typeof ssoSetzen>;

const OBJEKT = { art: 'sso', name: 'Anmeldung mit Firmenkonto' };

async function describe(tx: MandantTx, context: ServiceContext): Promise<Static<typeof Sso>> {
  return ssoToApi(await readAnbieter(tx), await listDomains(tx), context.config.baseUrl);
}

export const readSso = (context: ServiceContext, mandant: MandantId): Promise<Static<typeof Sso>> =>
  context.db.forMandant(mandant, (tx) => describe(tx, context));

function issuerOf(context: ServiceContext, text: string): string {
  const issuer = normaliseIssuer(text);
  const problem = issuerProblem(issuer, context.outbound, context.config);
  if (problem !== null)
    throw new InvalidInput({
      path: ['issuer'],
      reason: { de: `Die Adresse ${problem.de}.`, en: `The address ${problem.en}.` },
      input: text,
    });
  return issuer;
}

function domainProblem(domain: string | null): Sentence | null {
  if (domain === null)
    return { de: 'Das ist keine Domain wie „example.org“.', en: 'This is no domain like “example.org”.' };
  return isPublicMail(domain)
    ? {
        de: 'Bei diesem Anbieter hat jeder eine Adresse; er gehört keinem Unternehmen allein.',
        en: 'Everybody has an address at this provider; it belongs to no company alone.',
      }
    : null;
}

/** Each once, in the stored form; throws 422 with a fault for every one that cannot be claimed. */
function domainsOf(texts: string[]): string[] {
  const read = texts.map((text) => normaliseDomain(text));
  const faults = read.flatMap((domain, index): ValueFault[] => {
    const reason = domainProblem(domain);
    return reason === null ? [] : [{ path: ['domains', index], reason, input: texts[index] }];
  });
  if (faults.length > 0) throw new InvalidInput(faults);
  return [...new Set(read.filter((domain) => domain !== null))];
}

/** Claims that stay keep their proof. */
async function claimDomains(tx: MandantTx, mandant: MandantId, wished: string[]): Promise<void> {
  const known = (await listDomains(tx)).map(({ domain }) => domain);
  await deleteDomains(
    tx,
    known.filter((domain) => !wished.includes(domain)),
  );
  const fresh = wished.filter((domain) => !known.includes(domain));
  await insertDomains(
    tx,
    mandant,
    fresh.map((domain) => ({ domain, nachweis: randomSecret() })),
  );
}

/** The secret to store. One entered for an issuer is never kept for another: that one would get to read it. */
function secretAfter(
  context: ServiceContext,
  before: AnbieterRow | undefined,
  issuer: string,
  entered: string | null | undefined,
): Buffer | null {
  if (entered === '') return null;
  if (typeof entered === 'string') return context.secrets.seal(Buffer.from(entered));
  return before?.issuer === issuer ? before.client_secret : null;
}

/**
 * Asks the provider for its description where that may have become wrong: another issuer, or one that is switched on. What is
 * switched off, or stays as it is, can be saved while the provider is down. Throws 422, and 429 for too many.
 */
async function requireProvider(
  context: ServiceContext,
  mandant: MandantId,
  issuer: string,
  { address, client_id, aktiv }: Pick<Input, 'client_id' | 'aktiv'> & { address: string },
): Promise<void> {
  const before = await context.db.forMandant(mandant, readAnbieter);
  if (before?.issuer === issuer && (before.aktiv || !aktiv)) return;
  await context.throttle.countErrand(ISSUER_CHECKS, mandant, address);
  await requireDescribed(context, { issuer, client_id, client_secret: null }).catch((error: unknown) => {
    context.log.info({ mandant, reason: reasonOf(error) }, 'the issuer is no provider');
    throw noProviderAt(issuer);
  });
}

/** Of another client its owner may decide what the issuer says of a user. */
const isSameClient = (
  before: AnbieterRow | undefined,
  issuer: string,
  client_id: string,
): before is AnbieterRow => before?.issuer === issuer && before.client_id === client_id;

/** What the audit log may see. */
const visible = (row: AnbieterRow | undefined, domains: DomainRow[]): Record<string, unknown> =>
  row
    ? {
        aktiv: row.aktiv,
        issuer: row.issuer,
        client_id: row.client_id,
        client_secret_gesetzt: row.client_secret !== null,
        rolle_neu: row.rolle_neu,
        name: row.name,
        domains: domains.map(({ domain }) => domain),
      }
    : {};

/**
 * Sets up the provider, or changes it; domains left out stay as they are. Throws 422 for an issuer the service does not
 * talk to or that is no provider, and for domains that nobody can own; 409 where none is set up and the package has none; 429. `address` is where the request came from.
 */
export async function setSso(
  context: ServiceContext,
  mandant: MandantId,
  { akteur, rolle, address }: { akteur: Akteur; rolle: Rolle; address: string },
  input: Input,
): Promise<Static<typeof Sso>> {
  requireName('name', input.name);
  const issuer = issuerOf(context, input.issuer);
  const domains = input.domains && domainsOf(input.domains);
  await requireProvider(context, mandant, issuer, { ...input, address });
  return context.db.forMandant(mandant, async (tx) => {
    const before = await lockAnbieter(tx);
    if (!before) requireFunktion(context, await readMandant(tx), 'firmenkonto');
    const shownBefore = visible(before, await listDomains(tx));
    const after: AnbieterRow = {
      aktiv: input.aktiv,
      issuer,
      client_id: input.client_id,
      client_secret: secretAfter(context, before, issuer, input.client_secret),
      rolle_neu: input.rolle_neu,
      name: input.name,
      von_inhaber:
        rolle === 'inhaber' || (isSameClient(before, issuer, input.client_id) && before.von_inhaber),
    };
    await writeAnbieter(tx, mandant, after);
    if (domains) await claimDomains(tx, mandant, domains);
    const shown = visible(after, await listDomains(tx));
    // A secret replaced by another one shows in no other field.
    const changes = changedFields(
      shownBefore,
      input.client_secret ? { ...shown, client_secret: 'ersetzt' } : shown,
    );
    if (changes)
      await recordChange(tx, mandant, context.clock.now(), {
        akteur,
        aktion: 'sso.gesetzt',
        objekt: OBJEKT,
        ...changes,
      });
    return describe(tx, context);
  });
}

/** Removes the provider with its domains. Users stay; who has no password sets one by a reset link. */
export async function removeSso(
  context: ServiceContext,
  mandant: MandantId,
  akteur: Akteur,
): Promise<Static<typeof Sso>> {
  return context.db.forMandant(mandant, async (tx) => {
    const before = await lockAnbieter(tx);
    if (before) {
      const vorher = visible(before, await listDomains(tx));
      await deleteAnbieter(tx);
      await recordChange(tx, mandant, context.clock.now(), {
        akteur,
        aktion: 'sso.entfernt',
        objekt: OBJEKT,
        vorher,
      });
    }
    return describe(tx, context);
  });
}
