/** The mails about leaving, to those who run the account of the Mandant. */
import { type Letter, quotedName } from '#domains/postausgang/index.ts';

/** What the mails need to know of a Mandant. */
export interface Leaving {
  firma: string;
  /** IANA name. */
  zeitzone: string;
  loeschungAb: Date;
}

type Content = Omit<Letter, 'an'>;

/** `21. Dezember 2026 um 10:15 Uhr`, in the Mandant's time zone. */
const spoken = (instant: Date, timeZone: string): string =>
  `${new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(instant)} Uhr`;

export const cancelled = ({ firma, zeitzone, loeschungAb }: Leaving, von: string): Content => ({
  betreff: 'Ihr Konto bei Zählwerk ist gekündigt',
  absaetze: [
    `${von} hat das Konto von ${quotedName(firma)} gekündigt. Alle API-Schlüssel sind gesperrt, alle Sitzungen beendet; niemand kann sich mehr anmelden, Daten abrufen oder ausgeben.`,
    `Am ${spoken(loeschungAb, zeitzone)} werden alle Daten endgültig gelöscht. Bis dahin kann der Betreiber die Kündigung zurücknehmen; danach lässt sich nichts wiederherstellen.`,
    'Ein gebuchtes Paket wird beim Zahlungsanbieter beendet. Rechnungen bleiben dort erhalten.',
  ],
  hinweis: 'Wenn das ein Versehen war, wenden Sie sich bitte an den Betreiber.',
});

export const deletionAhead = ({ firma, zeitzone, loeschungAb }: Leaving): Content => ({
  betreff: 'Ihre Daten bei Zählwerk werden bald gelöscht',
  absaetze: [
    `Das Konto von ${quotedName(firma)} ist gekündigt. Am ${spoken(loeschungAb, zeitzone)} werden alle Daten endgültig gelöscht.`,
    'Bis dahin kann der Betreiber die Kündigung zurücknehmen; danach lässt sich nichts wiederherstellen.',
  ],
});

export const takenBack = ({ firma }: Pick<Leaving, 'firma'>, anmeldung: string): Content => ({
  betreff: 'Ihr Konto bei Zählwerk ist wieder aktiv',
  absaetze: [
    `Der Betreiber hat die Kündigung des Kontos von ${quotedName(firma)} zurückgenommen. Es wird nichts gelöscht.`,
    'Die API-Schlüssel, die mit der Kündigung gesperrt wurden, gelten wieder. Alle müssen sich neu anmelden; offene Einladungen und ein gebuchtes Paket sind erloschen.',
  ],
  link: { text: 'Anmelden', adresse: anmeldung },
});
