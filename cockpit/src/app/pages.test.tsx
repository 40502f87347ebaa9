/** Every page of the cockpit as somebody opens it, with answers as the contract gives examples of them. */
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { violations } from '../../test/axe.ts';
import { openAt, screen } from '../../test/open.tsx';
import { signedIn } from '../../test/people.ts';

const ID = '0190a000-0000-7000-8000-000000000001';

/** The address, and the heading. */
const PAGES = [
  ['/anmelden', 'Anmelden'],
  ['/registrieren', 'Konto anlegen'],
  ['/passwort-vergessen', 'Passwort vergessen'],
  ['/passwort-neu?token=aus-einer-mail', 'Neues Passwort'],
  ['/einladung?token=aus-einer-mail', /^Einladung zu/],
  ['/einladung', 'Diese Einladung gilt nicht mehr'],
  ['/post?token=aus-einer-mail', /./],
  ['/avv', 'Auftragsverarbeitung'],
  ['/status', 'Systemstatus'],
  ['/abschied', /./],
  ['/', 'Übersicht'],
  ['/?ansicht=tabelle', 'Übersicht'],
  ['/?endkunde=kunde-a', 'kunde-a'],
  ['/?stapel=modell&vergleich=aus', 'Übersicht'],
  ['/aufschluesselung', 'Endkunden im Zeitraum'],
  ['/agenten', 'Agenten'],
  [`/agenten/${ID}`, /./],
  ['/laeufe', 'Läufe'],
  [`/laeufe/${ID}`, /^Lauf von/],
  ['/endkunden', 'Endkunden'],
  ['/endkunden/abrechnung?referenz=kunde-a', /./],
  ['/abrechnung', 'Abrechnungsmonate'],
  ['/abrechnung/versand', 'Abrechnungen versenden'],
  ['/abgleich', 'Abgleich'],
  ['/abgleich/nutzung', 'Anbieterdatei vergleichen'],
  ['/preise', 'Preise'],
  ['/preise?bereich=preise', 'Preise'],
  ['/preise?bereich=rabatte', 'Preise'],
  ['/preise?bereich=freigaben', 'Preise'],
  ['/preise?bereich=fassungen', 'Preise'],
  ['/preise/neubepreisung', /./],
  [`/preise/neubepreisung/${ID}`, /./],
  ['/anbindung', 'Anbindung'],
  ['/anbindung/coding-agents', 'Coding Agents'],
  ['/anbindung/importe', 'Importe'],
  [`/anbindung/importe/${ID}`, 'spend-logs.csv'],
  ['/email-bestaetigen?token=aus-einer-mail', 'E-Mail-Adresse bestätigen'],
  ['/vorfaelle', 'Vorfälle'],
  ['/befunde', 'Befunde'],
  [`/befunde/${ID}`, /./],
  ['/antraege', 'Anträge'],
  ['/eingriffe', 'Eingriffe'],
  ['/regeln', 'Regeln'],
  ['/budgets', 'Budgets'],
  ['/zwilling', /./],
  ['/einstellungen/profil', 'Profil'],
  ['/einstellungen/sicherheit', 'Sicherheit'],
  ['/einstellungen/benutzer', 'Benutzer'],
  ['/einstellungen/schluessel', 'API-Schlüssel'],
  ['/einstellungen/branding', 'Branding'],
  ['/einstellungen/alarme', 'Alarme'],
  ['/einstellungen/firmenkonto', /./],
  ['/einstellungen/kurse', 'Wechselkurse'],
  ['/einstellungen/buchhaltung', 'Buchhaltung'],
  ['/einstellungen/paket', 'Tarif'],
  ['/einstellungen/avv', /./],
  ['/einstellungen/protokoll', 'Prüfprotokoll'],
  ['/einstellungen/export', 'Export'],
  ['/einstellungen/kuendigung', 'Kündigung'],
  ['/betreiber', 'Übersicht'],
  ['/betreiber/mandanten', 'Mandanten'],
  ['/betreiber/protokoll', 'Protokoll'],
  ['/betreiber/lizenzen', 'Lizenzen'],
  ['/gibt-es-nicht', 'Seite nicht gefunden'],
] as const;

/** Waits until nothing is being loaded any more. */
const settled = () =>
  waitFor(() => {
    if (document.querySelector('[aria-busy="true"]')) throw new Error('still loading');
  });

test.each(PAGES)('%s breaks no rule of axe', async (path, title) => {
  await openAt(path, { ich: signedIn({ betreiber: true }) });
  await screen.findByRole('heading', { level: 1, name: title });
  await settled();
  expect(screen.queryByText('Das Cockpit lässt sich gerade nicht öffnen')).toBeNull();
  expect(await violations()).toEqual([]);
});
