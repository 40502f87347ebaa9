/** Types of rules about what calls came to in an hour, a day, a window. */
import { count, datetime, decimal, decimalInput, field, nullable, oneOf, Type } from '../kit/index.ts';
import {
  during,
  GELTUNGSBEREICHE,
  LIMIT,
  NONE,
  number,
  of,
  p,
  ruleType,
  type Satz,
  share,
  THEN,
} from './kit.ts';

/** Whether a rule for the whole account is about all calls together, or about each agent by itself. */
const je = () =>
  p(
    oneOf('bereich', 'agent'),
    'Of a rule for the whole account: whether all calls are looked at together (`bereich`), or those of each agent by themselves (`agent`).',
    'bereich',
  );

const LIMIT_WERTE = Type.Object(LIMIT);
const LIMIT_SATZ: Satz<Type.Static<typeof LIMIT_WERTE>> = {
  de: (w, f) =>
    `hat im Zeitfenster ${f.menge(w.wert, w.einheit)} erreicht, erlaubt sind ${f.menge(w.schwelle, w.einheit)}`,
  en: (w, f) =>
    `has reached ${f.menge(w.wert, w.einheit)} in the window, allowed are ${f.menge(w.schwelle, w.einheit)}`,
};
const WINDOW = { von: '2026-11-24T09:00:00Z', bis: THEN };

export const kosten_spitze = ruleType({
  meaning:
    'The cost of an hour is more than `schwelle` times the median of the same hour of the week, and far from it (modified z-score). As long as there are no `mindest_tage` of data it is held against `ohne_vergleich_eur` alone.',
  quelle: 'summen',
  objekt: 'bereich',
  schwelle: { einheiten: ['faktor'], default: '3', min: '1', max: '1000' },
  zeitfenster: null,
  parameter: Type.Object({
    mindest_eur: p(
      decimalInput({ min: '0', max: '1000000000' }),
      'Cheaper hours are not judged, in EUR.',
      '5',
    ),
    z: p(
      decimalInput({ min: '0', max: '1000' }),
      'How far from the median: 0.6745·(x − median)/MAD is at least this.',
      '3.5',
    ),
    wochen: p(number(1, 12), 'With how many weeks it is compared.', 4),
    mindest_tage: p(number(1, 90), 'Days of data there must be before.', 7),
    ohne_vergleich_eur: p(
      decimalInput({ min: '0', max: '1000000000' }),
      'What an hour may cost at most as long as there is nothing to compare it with, in EUR.',
      '20',
    ),
    je: je(),
  }),
  hoechstens: 'sperren',
  bereiche: GELTUNGSBEREICHE,
  ursache: null,
  werte: Type.Object({
    wert_eur: field(decimal(), 'Cost of the hour, of the dearest one of the day.', '31.4'),
    median_eur: field(
      nullable(decimal()),
      'Median of the same hour of the weeks before; null where there is nothing to compare with yet.',
      '4.2',
    ),
    z: field(
      nullable(decimal()),
      'Modified z-score, to two decimals; null where the weeks do not differ.',
      '5.31',
    ),
    wochen: field(count(), 'With how many weeks it was compared.', 4),
    aufrufe: field(count(), 'Calls of the hour.', 240),
  }),
  beispiel: { wert_eur: '31.4', median_eur: '4.2', z: '5.31', wochen: 4, aufrufe: 240 },
  umfang: null,
  satz: {
    de: (w, f) =>
      `kostet in einer Stunde ${f.euro(w.wert_eur)}, ${w.median_eur === null ? 'was üblich ist, zeigt sich erst noch' : `üblich sind ${f.euro(w.median_eur)}`}`,
    en: (w, f) =>
      `costs ${f.euro(w.wert_eur)} in an hour, ${w.median_eur === null ? 'what is usual is not known yet' : `usual are ${f.euro(w.median_eur)}`}`,
  },
});

export const kosten_grenze = ruleType({
  meaning: 'The cost within the window is more than `schwelle` EUR.',
  quelle: 'summen',
  objekt: 'bereich',
  schwelle: of('eur', null, 0, 1_000_000_000),
  zeitfenster: { default: 'tag', kalender: true },
  parameter: Type.Object({ je: je() }),
  hoechstens: 'sperren',
  bereiche: GELTUNGSBEREICHE,
  ursache: null,
  werte: LIMIT_WERTE,
  beispiel: { wert: '12.5', schwelle: '10', einheit: 'eur', ...WINDOW, aufrufe: 240, unbepreist: 0 },
  umfang: null,
  satz: LIMIT_SATZ,
});

export const raten_grenze = ruleType({
  meaning: 'More calls, or tokens (input and output as sent), than `schwelle` within the window.',
  quelle: 'summen',
  objekt: 'bereich',
  schwelle: { einheiten: ['aufrufe', 'token'], default: null, min: '0', max: '1000000000000000' },
  zeitfenster: { default: '1h', kalender: true },
  parameter: NONE,
  hoechstens: 'sperren',
  bereiche: GELTUNGSBEREICHE,
  ursache: null,
  werte: LIMIT_WERTE,
  beispiel: { wert: '240', schwelle: '200', einheit: 'aufrufe', ...WINDOW, aufrufe: 240, unbepreist: 0 },
  umfang: null,
  satz: LIMIT_SATZ,
});

export const latenz = ruleType({
  meaning:
    'The 95th percentile of the latency within the window is more than `schwelle` times that of the days before.',
  quelle: 'summen',
  objekt: 'bereich',
  schwelle: { einheiten: ['faktor'], default: '2', min: '1', max: '1000' },
  zeitfenster: during('15m'),
  parameter: Type.Object({
    messwert: p(oneOf('latenz_ms', 'erste_zeichen_ms'), 'What is measured.', 'latenz_ms'),
    mindest_aufrufe: p(number(1, 1_000_000), 'Fewer calls are not judged.', 20),
    mindest_mehr_ms: p(number(0, 3_600_000), 'It must be this many milliseconds more.', 2_000),
    tage: p(number(1, 30), 'With how many days before it is compared.', 7),
  }),
  hoechstens: 'warnen',
  bereiche: GELTUNGSBEREICHE,
  ursache: null,
  werte: Type.Object({
    p95_ms: field(count(), 'The worst 95th percentile of a window of the day.', 9_200),
    ueblich_ms: field(count(), '95th percentile of the days before.', 3_100),
    aufrufe: field(count(), 'Calls with a measured latency in that window.', 44),
    von: LIMIT.von,
    bis: LIMIT.bis,
  }),
  beispiel: { p95_ms: 9_200, ueblich_ms: 3_100, aufrufe: 44, ...WINDOW },
  umfang: null,
  satz: {
    de: (w, f) => `antwortet langsam: ${f.zahl(w.p95_ms)} ms statt sonst ${f.zahl(w.ueblich_ms)} ms (95 %)`,
    en: (w, f) => `answers slowly: ${f.zahl(w.p95_ms)} ms instead of ${f.zahl(w.ueblich_ms)} ms (95 %)`,
  },
});

export const stille = ruleType({
  meaning: 'No call within the window, although there were some on each of the days before.',
  quelle: 'summen',
  objekt: 'bereich',
  schwelle: null,
  zeitfenster: during('24h'),
  parameter: Type.Object({
    tage: p(number(1, 30), 'On how many days before there must have been calls.', 7),
  }),
  hoechstens: 'warnen',
  bereiche: GELTUNGSBEREICHE,
  ursache: null,
  werte: Type.Object({
    letzter_aufruf: field(datetime(), 'There was no call from then on.'),
    tage: field(count(), 'On this many days in a row before there were calls.', 7),
  }),
  beispiel: { letzter_aufruf: THEN, tage: 7 },
  umfang: null,
  satz: {
    de: (w, f) => `schweigt, nach ${f.zahl(w.tage)} Tagen mit Aufrufen`,
    en: (w, f) => `is silent, after ${f.zahl(w.tage)} days with calls`,
  },
});

export const schaetzanteil = ruleType({
  meaning: 'More than `schwelle` percent of the calls of an hour have estimated counts.',
  quelle: 'summen',
  objekt: 'bereich',
  schwelle: share(20),
  zeitfenster: during('1h'),
  parameter: Type.Object({
    mindest_aufrufe: p(number(1, 1_000_000), 'Hours with fewer calls are not judged.', 1),
  }),
  hoechstens: 'warnen',
  bereiche: GELTUNGSBEREICHE,
  ursache: null,
  werte: Type.Object({
    aufrufe: field(count(), 'Calls of such hours of the day.', 240),
    geschaetzt: field(count(), 'Those among them whose counts are estimates.', 80),
    bis: field(datetime(), 'When the last of these hours ends.'),
  }),
  beispiel: { aufrufe: 240, geschaetzt: 80, bis: THEN },
  umfang: null,
  satz: {
    de: (w, f) => `zählt geschätzt: ${f.zahl(w.geschaetzt)} von ${f.zahl(w.aufrufe)} Aufrufen`,
    en: (w, f) => `counts by estimate: ${f.zahl(w.geschaetzt)} of ${f.zahl(w.aufrufe)} calls`,
  },
});
