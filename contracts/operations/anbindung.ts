/** Getting connected: the first-start checklist and the connection page. */
import {
  boolean,
  count,
  datetime,
  decimal,
  integer,
  nullable,
  oneOf,
  operation,
  Type,
  text,
  uuid,
} from '../kit/index.ts';
import { Schluessel } from './schluessel.ts';

export const anbindungPruefen = operation({
  id: 'anbindung.pruefen',
  method: 'GET',
  path: '/v1/anbindung/pruefen',
  summary: 'Sagt, wem der Schlüssel gehört, was er darf und ob schon Aufrufe angekommen sind.',
  access: { kind: 'any-key' },
  response: Type.Object({
    mandant: Type.Object({ mandant_id: uuid(), firma: text() }),
    schluessel: Type.Object({
      schluessel_id: uuid(),
      name: text(),
      anzeige: text(),
      bereiche: Type.Array(oneOf('Senden', 'Lesen')),
    }),
    aufrufe_angekommen: boolean(),
    erster_aufruf_am: nullable(datetime()),
    letzter_aufruf_am: nullable(datetime()),
    ereignisse_gesamt: integer({ min: 0 }),
  }),
});

export const erststart = operation({
  id: 'anbindung.erststart',
  method: 'GET',
  path: '/v1/cockpit/erststart',
  summary: 'Die Schritte eines neuen Mandanten, erledigt oder offen.',
  access: { kind: 'session', right: 'konto.lesen' },
  response: Type.Object({
    schritte: Type.Array(
      Type.Object({
        schritt: oneOf('konto', 'schluessel', 'erster_aufruf', 'agent_benannt', 'endkunde_zugeordnet'),
        titel: text(),
        erledigt: boolean(),
      }),
    ),
    abgeschlossen: boolean(),
  }),
});

export const cockpitAnbindung = operation({
  id: 'anbindung.seite',
  method: 'GET',
  path: '/v1/cockpit/anbindung',
  summary: 'Die Anbindungsseite: Schlüssel, Adressen und die letzten Aufrufe.',
  access: { kind: 'session', right: 'konto.lesen' },
  response: Type.Object({
    adressen: Type.Object({ basis: text(), ereignisse: text(), pruefen: text(), beschreibung: text() }),
    schluessel: Type.Array(Schluessel),
    erster_aufruf_am: nullable(datetime()),
    letzter_aufruf_am: nullable(datetime()),
    ereignisse_gesamt: count(),
    letzte_aufrufe: Type.Array(
      Type.Object({
        ereignis_id: uuid(),
        zeitpunkt: datetime(),
        agent: text(),
        anbieter: nullable(text()),
        modell: nullable(text()),
        status: text(),
        eingabe_token: nullable(count()),
        ausgabe_token: nullable(count()),
        kosten_eur: nullable(decimal()),
        lauf_id: nullable(uuid()),
      }),
    ),
  }),
});
