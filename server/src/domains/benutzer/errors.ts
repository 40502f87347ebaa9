/** Refusals around users and invitations. */
import type { Paket } from '#domains/mandant/index.ts';
import { AppError, conflict, forbidden } from '#kernel/errors.ts';
import type { Refusal } from './rules.ts';

const ABOVE_OWN = {
  de: 'Rollen über Ihrer eigenen können Sie weder vergeben noch ändern.',
  en: 'You can neither give nor change roles above your own.',
};
const LAST_INHABER = {
  de: 'Der letzte aktive Inhaber muss bleiben. Machen Sie zuerst jemand anderen zum Inhaber.',
  en: 'The last active owner has to stay. Make somebody else an owner first.',
};

export const roleAboveOwn = () => forbidden(ABOVE_OWN);

export const changeRefused = (refusal: Refusal) =>
  refusal === 'last_inhaber' ? conflict('letzter_inhaber', LAST_INHABER) : roleAboveOwn();

/** Says nothing about other accounts: an address that has one there is invited like any other. */
export const isUserAlready = () =>
  conflict('email_vergeben', {
    de: 'Diese E-Mail-Adresse gehört schon einem Ihrer Benutzer.',
    en: 'This e-mail address belongs to one of your users already.',
  });

export const addressLost = () =>
  conflict('email_vergeben', {
    de: 'Die E-Mail-Adresse dieses Benutzers gehört jetzt zu einem anderen Konto.',
    en: 'The e-mail address of this user belongs to another account now.',
  });

/** One answer for invitations that never were, are used, withdrawn or too old. */
export const invitationInvalid = () =>
  new AppError('not-found', 'einladung_ungueltig', {
    de: 'Diese Einladung gilt nicht oder nicht mehr. Bitten Sie um eine neue.',
    en: 'This invitation is not valid, or no longer. Ask for a new one.',
  });

/** The package has room for this many users. */
export const noPlaceLeft = ({ name, grenzen }: Paket) =>
  conflict('paketgrenze_erreicht', {
    de: `Ihr Tarif „${name}“ ist für ${grenzen.benutzer} Benutzer, offene Einladungen eingerechnet. Wer schon da ist, bleibt.`,
    en: `Your plan “${name}” is for ${grenzen.benutzer} users, open invitations included. Users who are here stay.`,
  });
