import { conflict, notFound } from '#kernel/errors.ts';
import { countText, euroText, monthText } from '#kernel/format.ts';
import type { Language } from '#kernel/sentence.ts';
import type { UnwritableBatch } from './extf/write.ts';

export const customerMissing = () => notFound({ de: 'Diesen Endkunden', en: 'This end customer' });

export const customerExists = () =>
  conflict('endkunde_vorhanden', {
    de: 'Einen Endkunden mit dieser Referenz gibt es schon.',
    en: 'There is an end customer with this reference already.',
  });

export const chained = () =>
  conflict('endkunde_verkettet', {
    de: 'Das Ziel ist selbst zusammengeführt oder entfernt, oder mit diesem Endkunden sind schon andere zusammengeführt. Lösen Sie das zuerst.',
    en: 'The target is merged itself or deleted, or others are merged into this end customer. Undo that first.',
  });

/** What an end customer would be charged for a month that is not closed; null where no call has a known price. */
export interface OpenMonth {
  monat: string;
  aufrufe: number;
  betrag_eur: string | null;
}

/** Months told one by one, the latest of them; a year. */
const MOST_MONTHS = 12;

const CALLS = { de: ['Aufruf', 'Aufrufe'], en: ['call', 'calls'] };
const UNKNOWN = { de: 'Betrag unbekannt', en: 'amount unknown' };

const openText = ({ monat, aufrufe, betrag_eur }: OpenMonth, language: Language): string => {
  const calls = `${countText(aufrufe, language)} ${CALLS[language][aufrufe === 1 ? 0 : 1]}`;
  const amount = betrag_eur === null ? UNKNOWN[language] : euroText(betrag_eur, language);
  return `${monthText(monat, language)} (${calls}, ${amount})`;
};

/** The months in their order, the latest last. */
export const stillOpen = (months: readonly OpenMonth[]) => {
  const more = months.length - MOST_MONTHS;
  const told = (language: Language, others: string) =>
    [
      ...(more > 0 ? [others] : []),
      ...months.slice(-MOST_MONTHS).map((month) => openText(month, language)),
    ].join(', ');
  return conflict('endkunde_offen', {
    de: `Dieser Endkunde hat Aufrufe in Monaten, die nicht abgeschlossen sind: ${told('de', `${more} frühere Monate`)}. Nach dem Entfernen werden sie ohne Aufschlag berechnet. Entfernt wird er nur, wenn das bestätigt ist.`,
    en: `This end customer has calls in months that are not closed: ${told('en', `${more} earlier months`)}. Once it is deleted, they are charged without a markup. It is only deleted if that is confirmed.`,
  });
};

export const tooManyMerged = () =>
  conflict('referenzen_zu_viele', {
    de: 'Mit diesem Endkunden sind schon so viele Referenzen zusammengeführt, wie möglich sind.',
    en: 'As many references are merged into this end customer as possible.',
  });

export const monthRuns = () =>
  conflict('monat_laeuft', {
    de: 'Der Monat ist noch nicht vorbei.',
    en: 'The month is not over yet.',
  });

export const monthOpen = () =>
  conflict('monat_offen', {
    de: 'Der Monat ist noch nicht abgeschlossen. Verschickt wird, was feststeht.',
    en: 'The month is not closed yet. What is sent must be final.',
  });

export const noMailServer = () =>
  conflict('kein_mailserver', {
    de: 'In dieser Installation ist kein Mailserver eingerichtet. Es geht keine Mail hinaus.',
    en: 'No mail server is set up in this installation. No mail goes out.',
  });

export const monthClosed = () =>
  conflict('monat_geschlossen', {
    de: 'Der Monat ist schon abgeschlossen.',
    en: 'The month is closed already.',
  });

export const notItsTurn = (monat: string) =>
  conflict('monat_nicht_an_der_reihe', {
    de: `Monate werden der Reihe nach abgeschlossen: Der nächste ist ${monat}.`,
    en: `Months are closed in their order: the next one is ${monat}.`,
  });

export const notCounted = () =>
  conflict('noch_nicht_gezaehlt', {
    de: 'Es warten noch Aufrufe darauf, gezählt zu werden. Versuchen Sie es in ein paar Minuten wieder.',
    en: 'Calls still wait to be counted. Try again in a few minutes.',
  });

/** Names of settings, as the page shows them. */
const SETTINGS: Record<string, { de: string; en: string }> = {
  beraternummer: { de: 'Beraternummer', en: 'number of the tax adviser' },
  mandantennummer: { de: 'Mandantennummer', en: 'client number' },
  sammelkonto: { de: 'Sammelkonto', en: 'collective account' },
  erloeskonto: { de: 'Erlöskonto', en: 'revenue account' },
};

export const settingsMissing = (names: string[]) => {
  const list = (language: 'de' | 'en') => names.map((name) => SETTINGS[name]?.[language] ?? name).join(', ');
  return conflict('buchhaltung_unvollstaendig', {
    de: `Für den Buchungsstapel fehlen in den Einstellungen der Buchhaltung: ${list('de')}.`,
    en: `The settings of accounting lack what a booking batch needs: ${list('en')}.`,
  });
};

/** Faults told in one sentence; the others are alike. */
const MOST_TOLD = 3;

export const batchImpossible = ({ faults }: Pick<UnwritableBatch, 'faults'>) => {
  const more = faults.length - MOST_TOLD;
  const told = (language: 'de' | 'en', others: string) =>
    [...faults.slice(0, MOST_TOLD).map(({ satz }) => satz[language]), ...(more > 0 ? [others] : [])].join(
      ' ',
    );
  return conflict('buchung_unmoeglich', {
    de:
      faults.length > 0
        ? told('de', `Dazu kommen ${more} weitere.`)
        : 'Der Monat hat mehr Buchungen, als ein Stapel fasst.',
    en:
      faults.length > 0
        ? told('en', `There are ${more} more.`)
        : 'The month has more bookings than a batch holds.',
  });
};

export const notClosed = () =>
  conflict('monat_offen', {
    de: 'Der Monat ist noch nicht abgeschlossen. Solange er offen ist, ändern Sie die Endkunden selbst.',
    en: 'The month is not closed yet. While it is open, change the end customers themselves.',
  });
