/** Who is signed in. */
import { rightsOf } from '../../server/src/domains/zugang/rules.ts';
import type { Ich } from '../src/api/types.ts';
export const signedIn = (benutzer: Partial<Ich['benutzer']> = {}): Ich => ({
  benutzer: {
    benutzer_id: '0190a000-0000-7000-8000-000000000001',
    email: 'anna@example.org',
    name: 'Anna Muster',
    sprache: null,
    zeitzone: null,
    rolle: 'inhaber',
    email_bestaetigt: true,
    zweiter_faktor: false,
    wiederherstellungscodes: 0,
    passwort_gesetzt: true,
    betreiber: false,
    ...benutzer,
  },
  mandant: {
    mandant_id: '0190a000-0000-7000-8000-00000000000a',
    firma: 'Muster GmbH',
    paket: 'frei',
    zeitzone: 'Europe/Berlin',
  },
  rechte: [...rightsOf(benutzer.rolle ?? 'inhaber')],
  mailweg: 'mailserver',
});
