/**
 * Rules of every type with thresholds low enough to be reached by calls made by chance, and each type once for part of the calls only:
 * what properties are held against. A type without any does not compile.
 */
import type { DetectedType } from '#contracts';
import type { Regel } from '#domains/regeln/index.ts';
import { ruleOf } from './rules.ts';

/** Of the steps of runs, and of calls. */
const OF_CALLS = {
  schleife_exakt: [
    ruleOf('schleife_exakt', {
      schwelle: '3',
      parameter: {
        ohne_verlauf: 4,
        pause_sekunden: 200,
        zuwachs_prozent: 60,
        zuwachs_token: 20,
        ausnahmen: ['f2', 'p/*'],
      },
    }),
    ruleOf('schleife_exakt', {
      schwelle: '2',
      geltungsbereich: 'agent',
      bezug: 'a',
      parameter: { ohne_verlauf: 2, pause_sekunden: 3_600, zuwachs_prozent: 1_000 },
    }),
  ],
  schleife_nah: [
    ruleOf('schleife_nah', { schwelle: '3', parameter: { schritte: 6, pause_sekunden: 200 } }),
    ruleOf('schleife_nah', {
      schwelle: '2',
      parameter: { schritte: 3, abstand: 0, eingabe_prozent: 0, pause_sekunden: 3_600 },
      geltungsbereich: 'endkunde',
      bezug: 'k1',
    }),
  ],
  pingpong: [
    ruleOf('pingpong', { schwelle: '2', parameter: { pause_sekunden: 200 } }),
    ruleOf('pingpong', { schwelle: '3', geltungsbereich: 'projekt', bezug: 'p' }),
  ],
  zyklus: [
    ruleOf('zyklus', {
      schwelle: '2',
      parameter: { mindest_schritte: 3, laenge: 4, pause_sekunden: 1_000, zuwachs_token: 10_000 },
    }),
    ruleOf('zyklus', {
      schwelle: '3',
      parameter: { mindest_schritte: 4, zuwachs_token: 1_000 },
      geltungsbereich: 'agent',
      bezug: 'a',
    }),
  ],
  leerlauf: [
    ruleOf('leerlauf', { schwelle: '2', parameter: { antwort_token: 300, mindest_schritt_eur: '0.0001' } }),
    ruleOf('leerlauf', {
      schwelle: '3',
      parameter: { mindest_schritt_eur: '0', zuwachs_token: 10_000 },
      geltungsbereich: 'projekt',
      bezug: 'p',
    }),
  ],
  verdichtung: [
    ruleOf('verdichtung', { schwelle: '2', parameter: { mindest_eingabe: 1_000, hoechstens_schritte: 20 } }),
    ruleOf('verdichtung', {
      schwelle: '3',
      parameter: { mindest_eingabe: 100 },
      geltungsbereich: 'endkunde',
      bezug: 'k1',
    }),
  ],
  rekursion: [
    ruleOf('rekursion', { schwelle: '2' }),
    ruleOf('rekursion', {
      schwelle: '2',
      geltungsbereich: 'agent',
      bezug: 'b',
      parameter: { ausnahmen: ['a'] },
    }),
  ],
  neustart: [
    ruleOf('neustart', { schwelle: '2', parameter: { gleiche_schritte: 2, pause_sekunden: 3_600 } }),
    ruleOf('neustart', {
      schwelle: '2',
      geltungsbereich: 'endkunde',
      bezug: 'k1',
      parameter: { gleiche_schritte: 2, pause_sekunden: 3_600, ausnahmen: ['f2', 'b'] },
    }),
  ],
  lauf_deckel: [
    ruleOf('lauf_deckel', { schwelle: '6' }),
    ruleOf('lauf_deckel', { schwelle: '0.002', einheit: 'eur', geltungsbereich: 'agent', bezug: 'b' }),
  ],
  baum_deckel: [
    ruleOf('baum_deckel', { schwelle: '0.001' }),
    ruleOf('baum_deckel', { schwelle: '2', einheit: 'laeufe', geltungsbereich: 'agent', bezug: 'b' }),
  ],
  kontextwachstum: [
    ruleOf('kontextwachstum', {
      schwelle: '15',
      parameter: { mindest_schritte: 3, faktor: 1, ohne_cache_prozent: 20 },
    }),
    ruleOf('kontextwachstum', {
      schwelle: '500',
      parameter: { mindest_schritte: 4, faktor: 2 },
      geltungsbereich: 'endkunde',
      bezug: 'k2',
    }),
  ],
  cache_verlust: [
    ruleOf('cache_verlust', { parameter: { mindest_eingabe: 1_000 } }),
    ruleOf('cache_verlust', {
      schwelle: '60',
      parameter: { vorher_prozent: 50 },
      geltungsbereich: 'agent',
      bezug: 'p/c',
    }),
  ],
  ausgabe_explosion: [
    ruleOf('ausgabe_explosion', { schwelle: '250', parameter: { faktor: 2 } }),
    ruleOf('ausgabe_explosion', { geltungsbereich: 'projekt', bezug: 'standard' }),
  ],
  wiederholsturm: [
    ruleOf('wiederholsturm', { schwelle: '2' }),
    ruleOf('wiederholsturm', {
      zeitfenster: '1h',
      geltungsbereich: 'endkunde',
      bezug: 'k1',
      parameter: { pause_sekunden: 3_600 },
    }),
  ],
  fehlerbrand: [
    ruleOf('fehlerbrand', { parameter: { mindest_aufrufe: 3, mindest_kosten_eur: '0' } }),
    ruleOf('fehlerbrand', { parameter: { mindest_aufrufe: 2, mindest_fehler: 2 } }),
    ruleOf('fehlerbrand', {
      zeitfenster: '2h',
      schwelle: '60',
      parameter: { mindest_aufrufe: 2, mindest_kosten_eur: '0.01' },
      geltungsbereich: 'agent',
      bezug: 'b',
    }),
  ],
  duplikat: [
    ruleOf('duplikat', { schwelle: '2', parameter: { abstand_sekunden: 3_600 } }),
    ruleOf('duplikat', {
      schwelle: '2',
      geltungsbereich: 'agent',
      bezug: 'a',
      parameter: { abstand_sekunden: 86_400, ausnahmen: ['f1'] },
    }),
  ],
  denk_uebermass: [
    ruleOf('denk_uebermass', { schwelle: '250', parameter: { mindest_aufrufe: 3 } }),
    ruleOf('denk_uebermass', {
      schwelle: '200',
      parameter: { mindest_aufrufe: 1, anteil_prozent: 60, ausgabe_prozent: 50 },
      geltungsbereich: 'projekt',
      bezug: 'p',
    }),
  ],
  modell_zu_gross: [
    ruleOf('modell_zu_gross', {
      schwelle: '2',
      parameter: {
        erlaubt: ['gpt-4o-mini', 'gpt-4.1-nano', 'gibt-es-nicht'],
        anteil_prozent: 40,
        ausgabe_token: 400,
        preis_teiler: 2,
      },
    }),
    ruleOf('modell_zu_gross', {
      schwelle: '1',
      parameter: { erlaubt: ['gpt-4o-mini'], anteil_prozent: 20 },
      geltungsbereich: 'funktion',
      bezug: 'f1',
    }),
  ],
  modell_verboten: [
    ruleOf('modell_verboten', { parameter: { erlaubt: ['claude*', 'gpt-4o'] } }),
    ruleOf('modell_verboten', { parameter: { erlaubt: [] }, geltungsbereich: 'agent', bezug: 'b' }),
  ],
  preis_abweichend: [
    ruleOf('preis_abweichend'),
    ruleOf('preis_abweichend', { schwelle: '1', geltungsbereich: 'agent', bezug: 'a' }),
  ],
  zaehlweise_unklar: [
    ruleOf('zaehlweise_unklar'),
    ruleOf('zaehlweise_unklar', { geltungsbereich: 'agent', bezug: 'a' }),
  ],
  preis_fehlt: [ruleOf('preis_fehlt'), ruleOf('preis_fehlt', { geltungsbereich: 'modell', bezug: 'gpt-4o' })],
};

const WINDOWS = ['5m', '1h', '3h', '20h', '24h', '2d', 'stunde', 'tag', 'monat'];

const OF_SUMS = {
  kosten_grenze: WINDOWS.flatMap((zeitfenster) => [
    ruleOf('kosten_grenze', { zeitfenster, schwelle: '0.01' }),
    ruleOf('kosten_grenze', { zeitfenster, schwelle: '0.003', geltungsbereich: 'agent', bezug: 'a' }),
  ]),
  raten_grenze: WINDOWS.flatMap((zeitfenster) => [
    ruleOf('raten_grenze', { zeitfenster, schwelle: '1' }),
    ruleOf('raten_grenze', {
      zeitfenster,
      schwelle: '2500.5',
      einheit: 'token',
      geltungsbereich: 'endkunde',
      bezug: '',
    }),
  ]),
  schaetzanteil: [
    ruleOf('schaetzanteil', { schwelle: '40' }),
    ruleOf('schaetzanteil', {
      parameter: { mindest_aufrufe: 2 },
      geltungsbereich: 'modell',
      bezug: 'gpt-4o',
    }),
  ],
  stille: ['30m', '5h', '24h'].flatMap((zeitfenster) => [
    ruleOf('stille', { zeitfenster, parameter: { tage: 1 } }),
    ruleOf('stille', { zeitfenster, parameter: { tage: 2 }, geltungsbereich: 'agent', bezug: 'a' }),
  ]),
  kosten_spitze: [
    ruleOf('kosten_spitze', {
      schwelle: '1',
      parameter: { mindest_eur: '0.0001', mindest_tage: 1, wochen: 1, z: '0' },
    }),
    ruleOf('kosten_spitze', {
      schwelle: '1',
      parameter: { mindest_eur: '0.0001', mindest_tage: 1, wochen: 2, z: '0' },
      geltungsbereich: 'agent',
      bezug: 'a',
    }),
  ],
  latenz: [
    ruleOf('latenz', { schwelle: '1', parameter: { mindest_aufrufe: 1, mindest_mehr_ms: 0, tage: 1 } }),
    ruleOf('latenz', {
      schwelle: '1',
      parameter: { mindest_aufrufe: 1, mindest_mehr_ms: 0, tage: 2, messwert: 'erste_zeichen_ms' },
      geltungsbereich: 'agent',
      bezug: 'a',
    }),
  ],
};

/** By type. */
export const CASES: { [T in DetectedType]: Regel<T>[] } = { ...OF_CALLS, ...OF_SUMS };
