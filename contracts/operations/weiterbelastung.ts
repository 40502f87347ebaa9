/** Passing costs on: end customers, what they are charged, statements, months that are closed, settings of accounting. */
import {
  Abrechnungskorrektur,
  Abrechnungsmonat,
  Abrechnungsposten,
  Abrechnungsrest,
  Abrechnungszeile,
  Aufschlag,
  Buchhaltung,
  BuchhaltungEingabe,
  betraege,
  ENDKUNDE_ID,
  ENDKUNDE_REF,
  Endkunde,
  EndkundeAenderung,
  EndkundeEingabe,
  EndkundeImMonat,
  MAX_POSTEN,
  MonatStatus,
  Monatsabschlussergebnis,
  monatQuery,
  WEITERBELASTEN,
} from '../billing.ts';
import {
  boolean,
  CPU_OF_A_REPORT,
  CPU_OF_AN_ARCHIVE,
  component,
  count,
  date,
  datetime,
  decimal,
  field,
  formed,
  integer,
  listOf,
  nullable,
  oneOf,
  operation,
  optional,
  pageQuery,
  preset,
  rowsOf,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';
import { kursquellenOf } from './verbrauch.ts';

export const endkunden = operation({
  id: 'weiterbelastung.endkunden',
  method: 'GET',
  path: '/v1/cockpit/endkunden',
  summary: 'Die Endkunden mit Kosten, Aufschlag und Betrag eines Monats.',
  description:
    'The end customers and what each is charged for a month, the highest charge first, page by page: all that are known, and those deleted that have calls in the month. A closed month shows what was billed, by names and markups as they were.',
  cpu: CPU_OF_A_REPORT,
  access: WEITERBELASTEN,
  query: Type.Object({
    ...monatQuery,
    suche: Type.Optional(
      field(text({ max: 120 }), 'Part of a name or reference, in whatever case.', 'müller'),
    ),
    ...pageQuery(),
  }),
  response: component('Endkunden', 'End customers in a month.', {
    monat: field(text(), 'The local month.', '2026-10'),
    status: field(
      MonatStatus,
      '`laeuft`: the month is not over; `offen`: over, figures may change; `geschlossen`: billed.',
    ),
    zeilen: field(rowsOf(EndkundeImMonat), 'The end customers.'),
    summe: field(
      component('EndkundenSumme', 'All end customers together, whatever was searched for.', {
        endkunden: field(count(), 'How many have calls or corrections in the month.', 12),
        ...betraege,
      }),
      'All together.',
    ),
    ohne_endkunde: field(
      component('OhneEndkunde', 'Calls that name no end customer; they are charged to nobody.', {
        aufrufe: field(count(), 'Calls.', 30),
        kosten_eur: field(nullable(decimal()), 'Their cost; null where none has a known price.', '1.2'),
      }),
      'Calls without an end customer.',
    ),
    kursquellen: kursquellenOf('all calls of the month as they are counted now'),
    weiter,
    gezaehlt_bis: field(
      datetime(),
      'Everything received up to then is in the figures of a month that is open.',
    ),
  }),
});

export const endkundeAnlegen = operation({
  id: 'weiterbelastung.endkunde_anlegen',
  method: 'POST',
  path: '/v1/cockpit/endkunden',
  status: 201,
  summary: 'Legt einen Endkunden an.',
  description:
    'Puts in an end customer. Calls that name a new reference do so by themselves. One that was deleted comes back by it.',
  access: WEITERBELASTEN,
  refuses: { 409: ['endkunde_vorhanden', 'hoechstzahl_erreicht'] },
  body: EndkundeEingabe,
  response: Endkunde,
});

export const endkundeAendern = operation({
  id: 'weiterbelastung.endkunde_aendern',
  method: 'PUT',
  path: '/v1/cockpit/endkunden/{endkunde_id}',
  summary: 'Ändert Name, Kostenstelle, Aufschlag und Adresse eines Endkunden.',
  description: 'Changes an end customer. Open months are charged by it, closed ones stay as they are.',
  access: WEITERBELASTEN,
  params: ENDKUNDE_ID,
  body: EndkundeAenderung,
  response: Endkunde,
});

export const endkundeEntfernen = operation({
  id: 'weiterbelastung.endkunde_entfernen',
  method: 'DELETE',
  path: '/v1/cockpit/endkunden/{endkunde_id}',
  summary: 'Entfernt einen Endkunden; was abgerechnet ist, bleibt.',
  description:
    'Deletes what is known of an end customer: name, cost centre, account, address, markup. What was billed stays; calls that name the reference are still counted and charged without a markup. References that were merged into it stand for themselves again. With calls in months that are not closed it is refused (409 `endkunde_offen`, which names months and amounts) unless `bestaetigt` says that this is wanted.',
  cpu: CPU_OF_A_REPORT,
  access: WEITERBELASTEN,
  refuses: { 409: ['endkunde_offen'] },
  params: ENDKUNDE_ID,
  query: Type.Object({
    bestaetigt: preset(
      field(boolean(), 'Whether it is deleted although it has calls in months that are not closed.'),
      false,
    ),
  }),
  response: Endkunde,
});

export const endkundeZusammenfuehren = operation({
  id: 'weiterbelastung.endkunde_zusammenfuehren',
  method: 'POST',
  path: '/v1/cockpit/endkunden/{endkunde_id}/zusammenfuehren',
  summary: 'Führt eine Referenz mit einem anderen Endkunden zusammen, zum Beispiel eine vertippte.',
  description:
    'The reference counts for another end customer from now on, its history included: all open months are charged there. Closed months stay with whom they were billed to; later changes in them go to the other one. With `ziel_id` null the reference stands for itself again. Consumption goes on naming references as calls do.',
  access: WEITERBELASTEN,
  refuses: { 409: ['endkunde_verkettet', 'referenzen_zu_viele'] },
  params: ENDKUNDE_ID,
  body: component('Zusammenfuehrung', 'Whom a reference is to count for.', {
    ziel_id: field(nullable(uuid()), 'The other end customer; null: itself again.'),
  }),
  response: Endkunde,
});

export const buchhaltungLesen = operation({
  id: 'weiterbelastung.buchhaltung_lesen',
  method: 'GET',
  path: '/v1/cockpit/mandant/buchhaltung',
  summary: 'Die Einstellungen der Buchhaltung.',
  description: 'Settings of accounting: numbers and accounts of the booking batch, tax, what is charged.',
  access: WEITERBELASTEN,
  response: Buchhaltung,
});

export const buchhaltungSetzen = operation({
  id: 'weiterbelastung.buchhaltung_setzen',
  method: 'PUT',
  path: '/v1/cockpit/mandant/buchhaltung',
  summary: 'Setzt Beraternummer, Konten, Steuersatz und was berechnet wird.',
  description:
    'Sets what is given. Accounts, chart, tax key and their lengths that contradict one another are refused; what is merely missing is not. Closed months keep the tax and the rules they were billed by.',
  access: WEITERBELASTEN,
  body: BuchhaltungEingabe,
  response: Buchhaltung,
});

export const abrechnung = operation({
  id: 'weiterbelastung.abrechnung',
  method: 'GET',
  path: '/v1/cockpit/endkunden/{endkunde_ref}/abrechnung',
  summary: 'Die Abrechnung eines Endkunden für einen Monat.',
  description: 'What stands on the statement of an end customer, as the PDF shows it.',
  cpu: CPU_OF_A_REPORT,
  access: WEITERBELASTEN,
  params: ENDKUNDE_REF,
  query: Type.Object(monatQuery),
  response: component('Abrechnung', 'What one end customer is charged for a month.', {
    monat: field(text(), 'The local month.', '2026-10'),
    status: field(MonatStatus, 'Whether the figures still change.'),
    geschlossen_am: field(nullable(datetime()), 'When the month was closed.'),
    zeile: field(Abrechnungszeile, 'Calls of the month.'),
    korrekturen: field(
      listOf(Abrechnungskorrektur, 10_000),
      'What changed in months closed before, by the references that calls name.',
    ),
    aufschlag: field(nullable(Aufschlag), 'The markup, where the settings tell the end customer of it.'),
    nicht_berechnet_eur: field(
      nullable(decimal()),
      'Burnt money that is not charged, two decimals; null where burnt money is charged.',
      '3.2',
    ),
    agenten: field(listOf(Abrechnungsposten, MAX_POSTEN), 'By agent, the most expensive first.'),
    agenten_rest: field(nullable(Abrechnungsrest), 'The other agents; null when all have a row.'),
    modelle: field(listOf(Abrechnungsposten, MAX_POSTEN), 'By model, the most expensive first.'),
    modelle_rest: field(nullable(Abrechnungsrest), 'The other models; null when all have a row.'),
    tage: field(
      listOf(
        component('Abrechnungstag', 'A day of a statement.', {
          tag: field(date(), 'Local day.', '2026-10-01'),
          aufrufe: field(count(), 'Calls.', 40),
          betrag_eur: field(nullable(decimal()), 'Its part of what is charged, two decimals.', '3.1'),
        }),
        31,
      ),
      'Every day of the month.',
    ),
    netto_eur: field(nullable(decimal()), 'Charge and corrections together, two decimals.', '114.93'),
    umsatzsteuer: field(
      nullable(
        component('Umsatzsteuer', 'Value added tax.', {
          prozent: field(decimal(), 'In percent.', '19'),
          betrag_eur: field(decimal(), 'Of the lines together, two decimals.', '21.84'),
          brutto_eur: field(decimal(), 'With the tax, two decimals.', '136.77'),
          saetze: field(
            listOf(
              component('Steuersatz', 'What is taxed at one rate.', {
                prozent: field(decimal(), 'In percent.', '19'),
                netto_eur: field(decimal(), 'What is charged at this rate, two decimals.', '114.93'),
                betrag_eur: field(decimal(), 'The tax on it, two decimals.', '21.84'),
              }),
              100,
            ),
            'By rate: what is corrected is taxed as its month was. `prozent` is that of the first.',
          ),
        }),
      ),
      'Tax, where the settings name a rate; rounded line by line, as bookings are.',
    ),
  }),
});

export const abrechnungsmonate = operation({
  id: 'weiterbelastung.monate',
  method: 'GET',
  path: '/v1/cockpit/abrechnung/monate',
  summary: 'Die Monate mit ihrem Stand, der neueste zuerst.',
  description: 'Months since the first call, the latest first, page by page.',
  access: WEITERBELASTEN,
  query: Type.Object(pageQuery(12)),
  response: component('Abrechnungsmonate', 'Months.', {
    monate: field(rowsOf(Abrechnungsmonat), 'The months.'),
    weiter,
  }),
});

export const monatAbschliessen = operation({
  id: 'weiterbelastung.monat_abschliessen',
  method: 'POST',
  path: '/v1/cockpit/abrechnung/abschliessen',
  summary: 'Schließt einen Monat ab: seine Abrechnungen stehen dann fest.',
  description:
    'Stores what every end customer is charged, corrections included. What changes later in the month (calls that come late, prices) is charged in the next open month as a correction. Months are closed in their order, and once. What a line is charged by goes with it: who counted together, markup, tax, accounts, names, branding. Where the settings are those of a booking batch, a month with lines that cannot be booked is refused (409 `buchung_unmoeglich`). With `probe` nothing is stored, and the answer tells all of them and what else is worth knowing.',
  cpu: CPU_OF_AN_ARCHIVE,
  access: WEITERBELASTEN,
  refuses: {
    409: [
      'monat_laeuft',
      'monat_geschlossen',
      'monat_nicht_an_der_reihe',
      'noch_nicht_gezaehlt',
      'buchung_unmoeglich',
    ],
  },
  body: component('Monatsabschluss', 'Which month is to be closed.', {
    monat: field(formed('^\\d{4}-(0[1-9]|1[0-2])$', 7), 'The local month.', '2026-10'),
    probe: preset(field(boolean(), 'Whether it is only checked.'), false),
  }),
  response: Monatsabschlussergebnis,
});

export const buchungBerichtigen = operation({
  id: 'weiterbelastung.buchung_berichtigen',
  method: 'PUT',
  path: '/v1/cockpit/abrechnung/buchung',
  summary: 'Berichtigt, wie Endkunden eines abgeschlossenen Monats in der Buchhaltung heißen.',
  description:
    'Corrects names, cost centres and accounts of end customers for the files of a closed month that bookkeeping reads, never an amount; statements stay as they were issued. With `einstellungen` the batch takes numbers and accounts of today from the settings of accounting; the tax stays. The audit log keeps both.',
  access: WEITERBELASTEN,
  refuses: { 409: ['monat_offen'] },
  body: component('Buchungsberichtigung', 'What is to be corrected.', {
    monat: field(formed('^\\d{4}-(0[1-9]|1[0-2])$', 7), 'The local month.', '2026-10'),
    zeilen: preset(
      field(
        listOf(
          component(
            'Zeilenberichtigung',
            'How bookkeeping is to know an end customer; a field left out stays.',
            {
              referenz: field(text({ min: 1, max: 120 }), 'Reference of who is charged.', 'kunde-4711'),
              name: field(optional(text({ max: 120 })), 'Name; null: the reference.', 'Smile GmbH'),
              kostenstelle: field(optional(text({ max: 36 })), 'Cost centre.', '4711'),
              debitorenkonto: field(
                optional(text({ max: 9 })),
                'Account; null: the collective one.',
                '10001',
              ),
            },
          ),
          1_000,
        ),
        'The end customers.',
      ),
      [],
    ),
    einstellungen: preset(
      field(boolean(), 'Whether the batch takes the settings of accounting as they are today.'),
      false,
    ),
  }),
  response: component('BuchungBerichtigt', 'What was corrected.', {
    monat: field(text(), 'The month.', '2026-10'),
    zeilen: field(count(), 'End customers that changed.', 1),
  }),
});

export const endkundenEinlesen = operation({
  id: 'weiterbelastung.endkunden_einlesen',
  method: 'POST',
  path: '/v1/cockpit/endkunden/csv',
  summary: 'Liest Namen, Kostenstellen und Aufschläge aus einer CSV-Datei.',
  description:
    'Puts in and changes end customers by their reference; columns that the file lacks stay as they are. Semicolons or commas, decimal comma or point. With `probe` it is only checked. A line that cannot be read is named by its number, and nothing is stored.',
  cpu: CPU_OF_A_REPORT,
  access: WEITERBELASTEN,
  refuses: { 409: ['hoechstzahl_erreicht'] },
  body: component('EndkundenCsv', 'End customers as CSV.', {
    csv: field(
      text({ max: 2_000_000 }),
      'The file.',
      'Referenz;Name;Aufschlag\r\nkunde-4711;Müller;12,5\r\n',
    ),
    probe: preset(field(boolean(), 'Whether it is only checked.'), false),
  }),
  response: component('EndkundenEingelesen', 'What a CSV with end customers changes.', {
    neu: field(integer({ min: 0 }), 'End customers that are new.', 3),
    geaendert: field(integer({ min: 0 }), 'End customers that change.', 12),
    gleich: field(integer({ min: 0 }), 'End customers that stay as they are.', 40),
  }),
});

export const abrechnungPdf = operation({
  id: 'weiterbelastung.abrechnung_pdf',
  method: 'GET',
  path: '/v1/cockpit/endkunden/{endkunde_ref}/abrechnung.pdf',
  summary: 'Die Abrechnung eines Endkunden als PDF im eigenen Erscheinungsbild.',
  description:
    'The statement of an end customer as PDF, tagged, with the name, colour, logo and footer of the account. Of a closed month it is kept as it first left, by download, mail or archive: every later one has the same bytes.',
  cpu: CPU_OF_A_REPORT,
  access: WEITERBELASTEN,
  params: ENDKUNDE_REF,
  query: Type.Object(monatQuery),
  media: ['application/pdf'],
  response: Type.String(),
});

export const abrechnungenZip = operation({
  id: 'weiterbelastung.abrechnungen_zip',
  method: 'GET',
  path: '/v1/cockpit/export/abrechnungen.zip',
  summary: 'Die Abrechnungen aller Endkunden eines Monats als ZIP, je Endkunde ein PDF.',
  description:
    'The statements of all end customers that have calls or corrections in a month, a PDF each, with a list of them as CSV, which also names what could not be made. All are of one moment; of a closed month each is as it first left, if it did. The archive is sent while it is made, a few statements a second: its length is not known beforehand, an archive without its end is a failed one. Whoever takes less than 64 KiB a second of what is there is cut off after a minute or two. The audit log keeps the SHA-256 of each complete one. 429 `export_laeuft` while another one of the Mandant is under way, or too many are being made.',
  cpu: CPU_OF_AN_ARCHIVE,
  access: WEITERBELASTEN,
  refuses: { 429: ['export_laeuft'], 503: ['export_kein_platz'] },
  query: Type.Object(monatQuery),
  media: ['application/zip'],
  response: Type.String(),
});

export const weiterbelastungAusgeben = operation({
  id: 'weiterbelastung.ausgeben',
  method: 'GET',
  path: '/v1/cockpit/export/weiterbelastung',
  summary: 'Die Weiterbelastung eines Monats als CSV oder Buchungsstapel.',
  description:
    'What all end customers are charged for a month. `csv`: semicolons, byte-order mark, decimal comma, a sum line at the end. `ledger`: a booking batch in the format EXTF 700. The same month gives the same bytes, but for the time of making in the batch. The audit log keeps the SHA-256 of each complete file. The CSV is sent while it is made, as the archive of statements is.',
  cpu: CPU_OF_AN_ARCHIVE,
  access: WEITERBELASTEN,
  refuses: {
    409: ['buchhaltung_unvollstaendig', 'buchung_unmoeglich'],
    429: ['export_laeuft'],
    503: ['export_kein_platz'],
  },
  query: Type.Object({
    ...monatQuery,
    format: preset(field(oneOf('csv', 'ledger'), 'Form of the file.'), 'csv'),
  }),
  media: ['text/csv'],
  response: Type.String(),
});

export const focusAusgeben = operation({
  id: 'weiterbelastung.focus',
  method: 'GET',
  path: '/v1/cockpit/export/focus.csv',
  summary: 'Der Monat als FOCUS-CSV für Werkzeuge der Finanzabteilung.',
  description:
    'What the calls of a month cost, by end customer, local day, provider and model (of months that a former release closed, by end customer and model), with the columns of the FinOps Open Cost and Usage Specification 1.2. For programs: texts are unchanged, so a spreadsheet may take one for a formula. `X-Rows-Left-Out` says how many rows are not in it because their cost is unknown. It is sent while it is made, as the archive of statements is.',
  cpu: CPU_OF_AN_ARCHIVE,
  access: WEITERBELASTEN,
  refuses: { 429: ['export_laeuft'], 503: ['export_kein_platz'] },
  query: Type.Object(monatQuery),
  media: ['text/csv'],
  response: Type.String(),
});

export const abrechnungenVersenden = operation({
  id: 'weiterbelastung.abrechnungen_versenden',
  method: 'POST',
  path: '/v1/cockpit/abrechnung/versenden',
  summary: 'Schickt die Abrechnungen eines abgeschlossenen Monats an die Endkunden.',
  description:
    'Sends the statements of a closed month as PDF to the end customers that have an address, each once: who has got theirs is left out, unless `erneut` says otherwise. They go one after another; the log says which went. With `probe` it is only counted. Nothing leaves before an inhaber has confirmed the own address, nor where the installation sends no mail (409 `kein_mailserver`); how much may leave is bounded for the Mandant (10,000 in 30 days) and for each address, repeats more than first ones.',
  cpu: CPU_OF_A_REPORT,
  access: WEITERBELASTEN,
  refuses: { 409: ['monat_offen', 'kein_mailserver', 'post_unbestaetigt'], 429: ['post_ausgeschoepft'] },
  body: component('Versandauftrag', 'Which statements are to be sent.', {
    monat: field(formed('^\\d{4}-(0[1-9]|1[0-2])$', 7), 'The local month.', '2026-10'),
    referenz: field(optional(text({ max: 120 })), 'Only to this end customer; null: to all.', 'kunde-4711'),
    erneut: preset(field(boolean(), 'Whether those go again that went already.'), false),
    probe: preset(field(boolean(), 'Whether it is only counted what would go.'), false),
  }),
  response: component('Versandergebnis', 'What is being sent.', {
    versendet: field(
      integer({ min: 0 }),
      'Statements that are being sent; with `probe` those that would be.',
      12,
    ),
    ohne_adresse: field(integer({ min: 0 }), 'End customers without an address.', 3),
    schon_versendet: field(integer({ min: 0 }), 'Statements that went before, or are being sent.', 0),
    abgemeldet: field(
      integer({ min: 0 }),
      'End customers at whose address somebody wants no statements by mail.',
      0,
    ),
    zurueckgestellt: field(
      integer({ min: 0 }),
      'Statements that may not leave yet, because as many mails as are meant to have left or gone to the address.',
      0,
    ),
  }),
});

export const abrechnungenVersand = operation({
  id: 'weiterbelastung.versand',
  method: 'GET',
  path: '/v1/cockpit/abrechnung/versand',
  summary: 'Welche Abrechnungen an wen verschickt wurden, die neuesten zuerst.',
  description: 'Which statements went to whom, the latest first, page by page. Kept as long as the account.',
  access: WEITERBELASTEN,
  query: Type.Object(pageQuery()),
  response: component('Abrechnungsversand', 'Statements that were sent.', {
    versendungen: field(
      rowsOf(
        component('Versendung', 'A statement that was sent.', {
          versendung_id: field(uuid(), 'Names it.'),
          monat: field(text(), 'The month it is about.', '2026-10'),
          referenz: field(text(), 'Reference of the end customer.', 'kunde-4711'),
          email: field(text(), 'Where it went.', 'buchhaltung@mueller.example'),
          abgemeldet: field(
            boolean(),
            'Whether somebody at the address wants no statements by mail any more.',
          ),
          status: field(
            oneOf('wartet', 'in_warteschlange', 'versendet', 'fehlgeschlagen'),
            '`wartet`: it is being made; `in_warteschlange`: its mail waits for the mail server; `versendet`: the mail server took it (of mails before this was followed: it was queued); `fehlgeschlagen`: it could not be made, or its mail could not be handed over; it may be sent again.',
          ),
          angefordert_am: field(datetime(), 'When it was asked for.'),
          angefordert_von: field(nullable(text()), 'Who asked for it.', 'anna@muster.example'),
          erledigt_am: field(nullable(datetime()), 'When the mail server took it, or it was given up.'),
          fehlgrund: field(
            nullable(
              oneOf(
                'unstimmig',
                'zu_gross',
                'aufgegeben',
                'kein_mailserver',
                'nicht_angenommen',
                'abgemeldet',
              ),
            ),
            'Why it failed. `unstimmig`: its parts do not make the whole; `zu_gross`: it is larger than a mail carries; `aufgegeben`: several attempts at making it failed; `kein_mailserver`: the installation has no mail server; `nicht_angenommen`: the mail server did not take it for seven days; `abgemeldet`: somebody at the address wants no statements by mail. Null: it did not fail, or before reasons were kept.',
          ),
          sha256: field(
            nullable(text()),
            'SHA-256 of the PDF that went, hexadecimal; null where none did, or of before this was kept.',
          ),
        }),
      ),
      'The latest first.',
    ),
    weiter,
  }),
});
