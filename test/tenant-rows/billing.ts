/** Rows of money that changes hands: between the Mandant and its end customers, and for the service. */
import { randomUUID } from 'node:crypto';
import type { RowContext } from './context.ts';

/** A month that is closed. */
export const monthRows = ({ name, now }: RowContext) => ({
  buchhaltung_einstellungen: {
    wirtschaftsjahr_beginn: 1,
    sachkontenlaenge: 4,
    festschreibung: false,
    bezeichnung: `Stapel ${name}`,
    verbranntes_berechnen: true,
    aufschlag_ausweisen: false,
  },
  abrechnungsmonate: {
    monat: '2026-01-01',
    zeitzone: 'Europe/Berlin',
    verbranntes_berechnen: true,
    aufschlag_ausweisen: false,
    geschlossen_am: now,
    geschlossen_von: `${name}@example.org`,
    stand: 0,
  },
  abrechnungszeilen: {
    monat: '2026-01-01',
    bezug: '2026-01-01',
    referenz: `kunde-${name}`,
    aufschlag_prozent: 0,
    aufrufe: 1,
    unbepreist: 0,
    teilbepreist: 0,
    kosten_eur: 1,
    verbranntes_geld_eur: 0,
    abrechenbar_eur: 1,
    betrag_eur: 1,
  },
});

/** The statement of that month, sent to an end customer, and as it was issued. */
export const mailingRows = ({ name, now }: RowContext) => ({
  abrechnung_versendungen: {
    versendung_id: randomUUID(),
    monat: '2026-01-01',
    referenz: `kunde-${name}`,
    email: `post-${name}@example.org`,
    status: 'versendet',
    angefordert_am: now,
  },
  abrechnung_dokumente: {
    monat: '2026-01-01',
    referenz: `kunde-${name}`,
    pdf: `\\x${Buffer.from(`%PDF-${name}`).toString('hex')}`,
    sha256: 'f'.repeat(64),
    ausgegeben_am: now,
  },
});

/** The package that is paid for. */
export const packageRows = ({ name }: RowContext) => ({
  buchungen: { kunde: `kunde_${name}`, abonnement: `abo_${name}` },
  zahlungsereignisse: { ereignis: `meldung_${name}`, art: 'test' },
});
