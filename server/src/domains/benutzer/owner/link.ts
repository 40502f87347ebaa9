/** The link of an invitation, for the operator to hand over: where no mail brings it. */
import {
  type Acting,
  actAsOperator,
  asSeenByMandant,
  type Done,
  recordChange,
} from '#domains/protokoll/index.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { continueAsMandant } from '#platform/database/index.ts';
import type { OwnerDatabase, OwnerTransaction } from '#platform/database/owner-database.ts';
import { hashOf, randomSecret } from '#platform/secret.ts';
import { invitationLink } from '../service/einladungen.ts';
import { replaceHash } from '../store/einladungen.ts';

/** An invitation that somebody may accept. */
interface OpenInvitation {
  mandant: MandantId;
  firma: string;
  einladungId: string;
  email: string;
}

type Service = Pick<ServiceContext, 'config'>;
interface Wish extends Acting {
  email: string;
  /** Left out while one Mandant invites the address. */
  mandant?: MandantId | undefined;
}

const FIND = `
  SELECT i.mandant_id AS mandant, m.firma, i.einladung_id AS "einladungId", i.email
  FROM einladungen i JOIN mandanten m USING (mandant_id)
  WHERE zw_adresse(i.email) = zw_adresse($1) AND i.gueltig_bis > $2 AND m.status = 'aktiv'
    AND ($3::uuid IS NULL OR i.mandant_id = $3)
  ORDER BY i.erstellt_am FOR UPDATE OF i`;

interface Renewed {
  /** Those that the wish may mean; a link is made where it is one. */
  found: OpenInvitation[];
  link: string | null;
}

async function renew(owner: OwnerTransaction, service: Service, wish: Wish): Promise<Done<Renewed>> {
  const { email, mandant: wanted, akteur, now } = wish;
  return owner.transaction(async (client) => {
    const { rows } = await client.query<Omit<OpenInvitation, 'mandant'> & { mandant: string }>(FIND, [
      email,
      now.toISOString(),
      wanted ?? null,
    ]);
    const found = rows.map((row) => ({ ...row, mandant: mandantId(row.mandant) }));
    const [only, another] = found;
    if (!only || another) return { result: { found, link: null }, act: null };
    const { mandant, einladungId } = only;
    const token = randomSecret();
    const tx = await continueAsMandant(client, mandant);
    await replaceHash(tx, einladungId, hashOf(token));
    const change = { aktion: 'einladung.link_ausgegeben' };
    const objekt = { art: 'einladung', id: einladungId };
    await recordChange(tx, mandant, now, {
      ...change,
      akteur: asSeenByMandant(akteur),
      objekt: { ...objekt, name: only.email },
    });
    return { result: { found, link: invitationLink(service, token) }, act: { ...change, mandant, objekt } };
  });
}

/** Makes a new link for the open invitation of an address; the link before it ends, until when it holds stays. */
export const renewInvitationLink = (db: OwnerDatabase, service: Service, wish: Wish): Promise<Renewed> =>
  actAsOperator(db, wish, (owner) => renew(owner, service, wish));
