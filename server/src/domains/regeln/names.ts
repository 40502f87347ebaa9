/** What rules are called that nobody has given a name. */
import type { Regeltyp } from '#contracts';

export const NAMEN: Record<Regeltyp, string> = {
  schleife_exakt: 'Schleife: gleiche Schritte',
  schleife_nah: 'Schleife: ähnliche Schritte',
  pingpong: 'Pingpong zweier Werkzeuge',
  lauf_deckel: 'Deckel je Lauf',
  wiederholsturm: 'Sturm von Wiederholungen',
  fehlerbrand: 'Viele Fehler',
  duplikat: 'Doppelte Aufrufe',
  kontextwachstum: 'Wachsender Kontext',
  cache_verlust: 'Verlorener Cache',
  modell_zu_gross: 'Zu großes Modell',
  denk_uebermass: 'Übermäßiges Nachdenken',
  ausgabe_explosion: 'Ausufernde Ausgabe',
  kosten_spitze: 'Kostenspitze',
  kosten_grenze: 'Kostengrenze',
  raten_grenze: 'Mengengrenze',
  budget_tempo: 'Budget: zu schnell verbraucht',
  budget_prognose: 'Budget: Prognose zu hoch',
  budget_schwelle: 'Budget: Schwelle erreicht',
  latenz: 'Langsame Antworten',
  stille: 'Keine Aufrufe',
  modell_verboten: 'Nicht erlaubtes Modell',
  preis_fehlt: 'Preis fehlt',
  schaetzanteil: 'Viele geschätzte Werte',
};

const LONGEST = 120;

/** The name of a rule that was given none; `bezug`: the one thing it holds for, null for everything. */
export const defaultName = (typ: Regeltyp, bezug: string | null): string =>
  (bezug === null ? NAMEN[typ] : `${NAMEN[typ]} (${bezug})`).slice(0, LONGEST).toWellFormed();
