/** Users and invitations in the shapes of the contract. */
import type { Benutzer, Einladung, Static } from '#contracts';
import { readableEmail } from '#kernel/email.ts';
import { toInstant, toInstantOrNull } from '#kernel/instant.ts';
import { isInvitationOpen } from './rules.ts';
import type { ListedBenutzer } from './store/benutzer.ts';
import type { EinladungRow } from './store/einladungen.ts';

export const benutzerToApi = ({ adresse_verloren: _, ...row }: ListedBenutzer): Static<typeof Benutzer> => ({
  ...row,
  email: readableEmail(row.email),
  erstellt_am: toInstant(row.erstellt_am),
  zuletzt_am: toInstantOrNull(row.zuletzt_am),
});

export const einladungToApi = (row: EinladungRow, now: Date): Static<typeof Einladung> => ({
  einladung_id: row.einladung_id,
  email: readableEmail(row.email),
  rolle: row.rolle,
  eingeladen_von: row.eingeladen_von && readableEmail(row.eingeladen_von),
  status: isInvitationOpen(row.gueltig_bis, now) ? 'offen' : 'abgelaufen',
  erstellt_am: toInstant(row.erstellt_am),
  gueltig_bis: toInstant(row.gueltig_bis),
});
