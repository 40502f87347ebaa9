/** Refusals around users and invitations. */
import { AppError, conflict, forbidden } from '#kernel/errors.ts';
import type { Refusal } from './rules.ts';

const ABOVE_OWN = 'Rollen über Ihrer eigenen können Sie weder vergeben noch ändern.';
const LAST_INHABER = 'Der letzte aktive Inhaber muss bleiben. Machen Sie zuerst jemand anderen zum Inhaber.';

export const roleAboveOwn = () => forbidden(ABOVE_OWN);

export const changeRefused = (refusal: Refusal) =>
  refusal === 'last_inhaber' ? conflict('letzter_inhaber', LAST_INHABER) : roleAboveOwn();

/** Says nothing about other accounts: an address that has one there is invited like any other. */
export const isUserAlready = () =>
  conflict('email_vergeben', 'Diese E-Mail-Adresse gehört schon einem Ihrer Benutzer.');

export const addressLost = () =>
  conflict('email_vergeben', 'Die E-Mail-Adresse dieses Benutzers gehört jetzt zu einem anderen Konto.');

/** One answer for invitations that never were, are used, withdrawn or too old. */
export const invitationInvalid = () =>
  new AppError(
    'not-found',
    'einladung_ungueltig',
    'Diese Einladung gilt nicht oder nicht mehr. Bitten Sie um eine neue.',
  );
