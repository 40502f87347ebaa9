import { conflict, notFound } from '#kernel/errors.ts';

export const invoiceMissing = () => notFound({ de: 'Diese Rechnung', en: 'This invoice' });

export const tooManyInvoices = () =>
  conflict('rechnungen_zu_viele', {
    de: 'Zu diesem Anbieter sind für den Monat schon so viele Rechnungen erfasst, wie möglich sind.',
    en: 'There are as many invoices of this provider for the month as possible.',
  });

export const invoiceThere = () =>
  conflict('rechnung_vorhanden', {
    de: 'Diese Rechnung ist schon erfasst: derselbe Anbieter, Monat, Betrag und dieselbe Nummer.',
    en: 'This invoice is there already: the same provider, month, amount and number.',
  });

export const noRate = () =>
  conflict('kein_kurs', {
    de: 'Für diesen Monat ist kein Referenzkurs bekannt. Geben Sie an, zu welchem Kurs die Rechnung bezahlt wurde.',
    en: 'No reference rate is known for this month. State at which rate the invoice was paid.',
  });
