/** What types of rules are called, everywhere: in the catalogue, as the name of a rule without one, in headlines of findings. */
import type { Befundtyp } from './befund-werte.ts';

/** By type, and of calls that came although they should not have, which no rule is behind. */
export const REGELTYP_TEXTE = {
  schleife_exakt: { de: 'Schleife', en: 'Loop' },
  schleife_nah: { de: 'Beinahe-Schleife', en: 'Near loop' },
  pingpong: { de: 'Pingpong', en: 'Ping-pong' },
  zyklus: { de: 'Im Kreis', en: 'Cycle' },
  leerlauf: { de: 'Leerlauf', en: 'Idling' },
  verdichtung: { de: 'Kontext immer wieder verdichtet', en: 'Context compacted again and again' },
  rekursion: { de: 'Agent ruft sich selbst auf', en: 'Agent calls itself' },
  neustart: { de: 'Immer wieder neu begonnen', en: 'Begun anew again and again' },
  lauf_deckel: { de: 'Lauf zu groß', en: 'Run too large' },
  baum_deckel: { de: 'Lauf mit Unterläufen zu groß', en: 'Run with sub-runs too large' },
  wiederholsturm: { de: 'Wiederholsturm', en: 'Retry storm' },
  fehlerbrand: { de: 'Viele Fehler', en: 'Many failures' },
  duplikat: { de: 'Doppelte Aufrufe', en: 'Duplicate calls' },
  kontextwachstum: { de: 'Kontext wächst', en: 'Context grows' },
  cache_verlust: { de: 'Cache verfehlt', en: 'Cache missed' },
  modell_zu_gross: { de: 'Modell zu groß', en: 'Model too large' },
  denk_uebermass: { de: 'Zu viel Nachdenken', en: 'Too much reasoning' },
  ausgabe_explosion: { de: 'Riesige Ausgabe', en: 'Huge output' },
  kosten_spitze: { de: 'Kostensprung', en: 'Cost spike' },
  kosten_grenze: { de: 'Kostengrenze überschritten', en: 'Cost limit exceeded' },
  raten_grenze: { de: 'Mengengrenze überschritten', en: 'Rate limit exceeded' },
  budget_tempo: { de: 'Budget zu schnell verbraucht', en: 'Budget spent too fast' },
  budget_prognose: { de: 'Budget wird nicht reichen', en: 'Budget will not last' },
  budget_schwelle: { de: 'Budgetschwelle erreicht', en: 'Budget threshold reached' },
  latenz: { de: 'Langsame Antworten', en: 'Slow answers' },
  stille: { de: 'Keine Aufrufe', en: 'No calls' },
  modell_verboten: { de: 'Verbotenes Modell', en: 'Forbidden model' },
  preis_fehlt: { de: 'Preis fehlt', en: 'Price missing' },
  preis_abweichend: { de: 'Gemeldete Kosten weichen ab', en: 'Reported cost differs' },
  zaehlweise_unklar: { de: 'Zählweise unklar', en: 'Counts contradict themselves' },
  schaetzanteil: { de: 'Viel geschätzt', en: 'Much estimated' },
  eingriff_missachtet: { de: 'Eingriff missachtet', en: 'Intervention disobeyed' },
  grenze_ausgeschoepft: { de: 'Harte Grenze ausgeschöpft', en: 'Hard limit used up' },
} as const satisfies Record<Befundtyp, { de: string; en: string }>;

/** All of them in one language, by type. */
export const typeNamesIn = (language: 'de' | 'en'): Record<Befundtyp, string> =>
  Object.fromEntries(Object.entries(REGELTYP_TEXTE).map(([typ, name]) => [typ, name[language]])) as Record<
    Befundtyp,
    string
  >;
