/** From rows and principals to the shapes of the contract. */
import type { ich, ResponseOf, Sitzung, Static } from '#contracts';
import { readableEmail } from '#kernel/email.ts';
import { toInstant } from '#kernel/instant.ts';
import type { Mailweg } from '#platform/mail.ts';
import type { SessionPrincipal } from '#platform/principal.ts';
import type { EigeneAngaben } from './store/benutzer.ts';
import type { EigeneSitzungRow } from './store/sitzungen.ts';

export const ichToApi = (
  principal: SessionPrincipal,
  angaben: EigeneAngaben,
  mailweg: Mailweg,
): ResponseOf<typeof ich> => ({
  benutzer: {
    benutzer_id: principal.benutzerId,
    email: readableEmail(principal.email),
    name: principal.name,
    rolle: principal.rolle,
    zweiter_faktor: principal.zweiterFaktor,
    ...angaben,
    betreiber: principal.betreiber,
  },
  mandant: {
    mandant_id: principal.mandant,
    firma: principal.firma,
    paket: principal.paket,
    zeitzone: principal.zeitzone,
  },
  rechte: [...principal.rechte],
  mailweg,
});

export const sitzungToApi = (row: EigeneSitzungRow, asking: string): Static<typeof Sitzung> => ({
  sitzung_id: row.sitzung_id,
  diese: row.sitzung_id === asking,
  adresse: row.adresse,
  geraet: row.geraet,
  erstellt_am: toInstant(row.erstellt_am),
  zuletzt_am: toInstant(row.zuletzt_am),
});
