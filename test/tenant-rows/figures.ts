/** Rows of what calls have come to: sums, prices, and what is compared with them. */
import type { RowContext } from './context.ts';

/** First day of a month that the pages of months still show. */
const monthsAgo = (months: number) =>
  Temporal.Now.plainDateISO('UTC').with({ day: 1 }).subtract({ months }).toString();

/** Sums that counting has not made by itself. */
export const sumRows = ({ name, now }: RowContext) => ({
  verbrauch_gefuehrt: { dimension: 2, text: name, seit: 1, gebraucht_am: now.slice(0, 10) },
  verbrauch_stuecke: {
    nummer: 1_000_000,
    tag_von: now.slice(0, 10),
    tag_bis: now.slice(0, 10),
    // A row of nothing.
    anzahl: 1,
    daten: '\\x010001',
  },
});

/** A file of calls that is being read. */
export const importRows = ({ tenant, name, now }: RowContext) => ({
  importe: {
    import_id: tenant.repricingId,
    status: 'liest',
    datei: `${name}.csv`,
    groesse: 1,
    schluessel_id: tenant.repricingId,
    zeitzone: 'Europe/Berlin',
    angelegt_am: now,
    angelegt_von: `${name}@example.org`,
  },
  import_teile: {
    import_id: tenant.repricingId,
    nr: 1,
    anzahl: 1,
    umfang: 1,
    daten: '\\x01',
    bekannt: 0,
    von: now,
    bis: now,
    modelle: { [name]: 1 },
    monate: { '2026-01': 1 },
  },
  import_aufrufe: { ereignis_id: tenant.repricingId, import_id: tenant.repricingId, zeitpunkt: now },
});

/** A price book, and calls that are priced by it anew. */
export const priceRows = ({ tenant, name, now, later }: RowContext) => ({
  preisbuecher: {
    fassung: Number(tenant.bookEdition),
    inhalt: {
      gemeldete_kosten: false,
      preise: [],
      rabatte: [],
      freigaben: [{ modell: `modell-${name}`, ersetzt: [] }],
    },
    erstellt_am: now,
    erstellt_von: `${name}@example.org`,
  },
  neubepreisungen: {
    neubepreisung_id: tenant.repricingId,
    status: 'bereit',
    von: now.slice(0, 10),
    bis: later.slice(0, 10),
    zeitzone: 'Europe/Berlin',
    fassung: Number(tenant.bookEdition),
    ereignisse: 1,
    gelesen: 1,
    angelegt_am: now,
    angelegt_von: `${name}@example.org`,
  },
  neubepreisung_zeilen: {
    neubepreisung_id: tenant.repricingId,
    monat: `${now.slice(0, 7)}-01`,
    agent: name,
    geaendert: 1,
    alt_usd: '1',
    neu_usd: '2',
    differenz_eur: '0.86',
    unbepreist: 0,
  },
});

/** What providers say the calls have cost. */
export const providerRows = ({ tenant, name, now }: RowContext) => ({
  gemeldete_kosten: {
    tag: '2026-01-01',
    anbieter: `anbieter-${name}`,
    aufrufe: 2,
    verglichen: 1,
    gemeldet_eur: '1',
    liste_eur: '2',
  },
  preisbuch_kosten: {
    tag: '2026-01-01',
    anbieter: `anbieter-${name}`,
    aufrufe: 2,
    kosten_eur: '3',
    verglichen: 1,
    preisbuch_eur: '1',
    listenpreis_eur: '2',
  },
  gemeldete_kosten_tage: { tag: '2026-01-01', geaendert: 1 },
  anbieter_rechnungen: {
    rechnung_id: tenant.invoiceId,
    monat: monthsAgo(7),
    anbieter: `anbieter-${name}`,
    betrag: 1,
    waehrung: 'EUR',
    kurs: 1,
    erfasst_am: now,
  },
});
