/**
 * Findings in words: one plain sentence with the figures, in German and English. What it says is right at the moment it is
 * written; interventions and alarms keep it as it was then.
 */
import { type BefundWerte, type DetectedType, type Objektart, REGELTYP_TEXTE, type Stufe } from '#contracts';
import { OVER_MS } from '#domains/eingriffe/index.ts';
import type { Sentence } from '#kernel/sentence.ts';
import type { Candidate } from './candidate.ts';

/** What sentences are made of: the finding, whether it was just found or read from its table. */
export type Told = Pick<
  Candidate,
  'objektArt' | 'objekt' | 'agent' | 'werte' | 'kostenEur' | 'verbranntEur' | 'potentialEur'
> & {
  typ: string;
};

const FORMS = { de: new Intl.NumberFormat('de-DE'), en: new Intl.NumberFormat('en-GB') };
const EUR = {
  de: new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }),
  en: new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' }),
};

// Intl reads decimals as they are written: nothing becomes a float.
const number = (value: number | string, language: 'de' | 'en') =>
  FORMS[language].format(value as Intl.StringNumericLiteral);
const UNDER: Sentence = { de: 'unter', en: 'under' };

/** To the cent; less than one is said to be so. */
function euro(value: string, language: 'de' | 'en'): string {
  const isLess = /^0\.00\d*[1-9]/.test(value);
  const shown = EUR[language].format((isLess ? '0.01' : value) as Intl.StringNumericLiteral);
  return isLess ? `${UNDER[language]} ${shown}` : shown;
}

type Part = (language: 'de' | 'en') => string;

/** Both languages from two templates; `#` things are put in by `n` and `e`. */
const both = (de: Part, en: Part): Sentence => ({ de: de('de'), en: en('en') });

const list = (names: readonly string[]): string =>
  names.slice(0, 3).join(', ') + (names.length > 3 ? ' …' : '');

const OBJECTS: Record<Objektart, Sentence> = {
  lauf: { de: 'Lauf', en: 'Run' },
  agent: { de: 'Agent', en: 'Agent' },
  projekt: { de: 'Projekt', en: 'Project' },
  endkunde: { de: 'Endkunde', en: 'End customer' },
  funktion: { de: 'Funktion', en: 'Function' },
  modell: { de: 'Modell', en: 'Model' },
  mandant: { de: 'Das Konto', en: 'The account' },
};

/** What it is about: `Lauf 1b47d40a von support/triage`, `Agent support/triage`. */
export function subjectOf({
  objektArt,
  objekt,
  agent,
}: Pick<Told, 'objektArt' | 'objekt' | 'agent'>): Sentence {
  const kind = OBJECTS[objektArt];
  if (objektArt === 'mandant') return kind;
  if (objektArt !== 'lauf') return { de: `${kind.de} ${objekt}`, en: `${kind.en} ${objekt}` };
  const of = agent === null ? { de: '', en: '' } : { de: ` von ${agent}`, en: ` of ${agent}` };
  return { de: `${kind.de} ${objekt.slice(0, 8)}${of.de}`, en: `${kind.en} ${objekt.slice(0, 8)}${of.en}` };
}

type Clause<T extends DetectedType> = (werte: BefundWerte<T>) => Sentence;

/** Which steps; of more than are listed only the first is known. */
const steps = (
  { schritte, anzahl }: { schritte: readonly number[]; anzahl: number },
  language: 'de' | 'en',
): string => {
  const first = schritte[0];
  const last = schritte.at(-1);
  if (first === undefined || last === undefined) return '';
  if (anzahl > schritte.length)
    return language === 'de'
      ? ` (ab Schritt ${number(first, 'de')})`
      : ` (from step ${number(first, 'en')} on)`;
  const word = language === 'de' ? 'Schritte' : 'steps';
  return first === last ? '' : ` (${word} ${number(first, language)} – ${number(last, language)})`;
};

const UNITS: Record<string, Sentence> = {
  eur: { de: 'EUR', en: 'EUR' },
  aufrufe: { de: 'Aufrufe', en: 'calls' },
  token: { de: 'Token', en: 'tokens' },
};

const limit = ({ wert, schwelle, einheit }: BefundWerte<'kosten_grenze'>): Sentence => {
  const amount = (value: string, language: 'de' | 'en') =>
    einheit === 'eur' ? euro(value, language) : `${number(value, language)} ${UNITS[einheit]?.[language]}`;
  return both(
    (l) => `hat im Zeitfenster ${amount(wert, l)} erreicht, erlaubt sind ${amount(schwelle, l)}`,
    (l) => `has reached ${amount(wert, l)} in the window, allowed are ${amount(schwelle, l)}`,
  );
};

const CLAUSES: { [T in DetectedType]: Clause<T> } = {
  schleife_exakt: (w) =>
    both(
      (l) => `wiederholt ${number(w.anzahl, l)}-mal hintereinander denselben Aufruf${steps(w, l)}`,
      (l) => `repeats the same call ${number(w.anzahl, l)} times in a row${steps(w, l)}`,
    ),
  schleife_nah: (w) =>
    both(
      (l) => `macht ${number(w.anzahl, l)} fast gleiche Aufrufe${steps(w, l)}`,
      (l) => `makes ${number(w.anzahl, l)} nearly equal calls${steps(w, l)}`,
    ),
  pingpong: (w) =>
    both(
      (l) => `wechselt seit ${number(w.zyklen, l)} Runden zwischen zwei Werkzeugen${steps(w, l)}`,
      (l) => `has alternated between two tools for ${number(w.zyklen, l)} rounds${steps(w, l)}`,
    ),
  lauf_deckel: (w) =>
    both(
      (l) =>
        w.einheit === 'aufrufe'
          ? `hat ${number(w.aufrufe, l)} Aufrufe, erlaubt sind ${number(w.schwelle, l)}`
          : `kostet mehr als die erlaubten ${euro(w.schwelle, l)}`,
      (l) =>
        w.einheit === 'aufrufe'
          ? `has ${number(w.aufrufe, l)} calls, allowed are ${number(w.schwelle, l)}`
          : `costs more than the ${euro(w.schwelle, l)} allowed`,
    ),
  kontextwachstum: (w) =>
    both(
      (l) =>
        `schickt mit jedem Schritt mehr: von ${number(w.erste_eingabe, l)} auf ${number(w.letzte_eingabe, l)} Token Eingabe mit Cache`,
      (l) =>
        `sends more with each step: from ${number(w.erste_eingabe, l)} to ${number(w.letzte_eingabe, l)} tokens of input with cache`,
    ),
  cache_verlust: (w) =>
    both(
      (l) => `verfehlt den Cache: ${number(w.verlorene_token, l)} Token wurden noch einmal voll bezahlt`,
      (l) => `misses the cache: ${number(w.verlorene_token, l)} tokens were paid in full once more`,
    ),
  ausgabe_explosion: (w) =>
    both(
      (l) => `schreibt ungewöhnlich viel: ${number(w.ausgabe_token, l)} Token Ausgabe${steps(w, l)}`,
      (l) => `writes unusually much: ${number(w.ausgabe_token, l)} output tokens${steps(w, l)}`,
    ),
  wiederholsturm: (w) =>
    both(
      (l) => `versucht einen fehlgeschlagenen Aufruf immer wieder, ${number(w.aufrufe, l)}-mal`,
      (l) => `tries a failed call again and again, ${number(w.aufrufe, l)} times`,
    ),
  fehlerbrand: (w) =>
    both(
      (l) => `scheitert oft: ${number(w.fehler, l)} von ${number(w.aufrufe, l)} Aufrufen sind fehlgeschlagen`,
      (l) => `fails often: ${number(w.fehler, l)} of ${number(w.aufrufe, l)} calls have failed`,
    ),
  duplikat: (w) =>
    both(
      (l) => `fragt in ${number(w.laeufe_anzahl, l)} Läufen dasselbe, ${number(w.aufrufe, l)} Aufrufe`,
      (l) => `asks the same in ${number(w.laeufe_anzahl, l)} runs, ${number(w.aufrufe, l)} calls`,
    ),
  modell_zu_gross: (w) =>
    both(
      (l) => `nimmt für ${number(w.kleine, l)} einfache Aufrufe ein großes Modell; ${w.ersatz} würde genügen`,
      (l) => `uses a large model for ${number(w.kleine, l)} simple calls; ${w.ersatz} would do`,
    ),
  denk_uebermass: (w) =>
    both(
      (l) =>
        `denkt zu viel nach: ${number(w.uebermaessige, l)} von ${number(w.aufrufe, l)} Aufrufen bestehen fast nur daraus`,
      (l) =>
        `reasons too much: ${number(w.uebermaessige, l)} of ${number(w.aufrufe, l)} calls are nearly nothing else`,
    ),
  modell_verboten: (w) =>
    both(
      (l) => `nutzt nicht erlaubte Modelle (${list(w.modelle)}), ${number(w.aufrufe, l)} Aufrufe`,
      (l) => `uses models that are not allowed (${list(w.modelle)}), ${number(w.aufrufe, l)} calls`,
    ),
  preis_fehlt: (w) =>
    both(
      (l) => `hat keinen bekannten Preis: ${number(w.aufrufe, l)} Aufrufe fehlen in allen Summen`,
      (l) => `has no known price: ${number(w.aufrufe, l)} calls are missing in all sums`,
    ),
  kosten_spitze: (w) =>
    both(
      (l) => `kostet in einer Stunde ${euro(w.wert_eur, l)}, üblich sind ${euro(w.median_eur, l)}`,
      (l) => `costs ${euro(w.wert_eur, l)} in an hour, usual are ${euro(w.median_eur, l)}`,
    ),
  kosten_grenze: limit,
  raten_grenze: limit,
  latenz: (w) =>
    both(
      (l) => `antwortet langsam: ${number(w.p95_ms, l)} ms statt sonst ${number(w.ueblich_ms, l)} ms (95 %)`,
      (l) => `answers slowly: ${number(w.p95_ms, l)} ms instead of ${number(w.ueblich_ms, l)} ms (95 %)`,
    ),
  stille: (w) =>
    both(
      (l) => `schweigt, nach ${number(w.tage, l)} Tagen mit Aufrufen`,
      (l) => `is silent, after ${number(w.tage, l)} days with calls`,
    ),
  schaetzanteil: (w) =>
    both(
      (l) => `zählt geschätzt: ${number(w.geschaetzt, l)} von ${number(w.aufrufe, l)} Aufrufen einer Stunde`,
      (l) => `counts by estimate: ${number(w.geschaetzt, l)} of ${number(w.aufrufe, l)} calls of an hour`,
    ),
};

/** What budgets tell, and calls that came although they should not. */
const OTHERS: Record<string, (werte: Record<string, never>) => Sentence> = {
  budget_schwelle: (w) => {
    const threshold = w.schwelle_prozent ?? 0;
    // How much it is, not how much it takes: a call may pass several thresholds at once, or go far beyond the last one.
    const share = w.anteil_prozent ?? threshold;
    const passed = (word: string, l: 'de' | 'en') =>
      Number(share) === Number(threshold) ? '' : ` (${word} ${number(threshold, l)} %)`;
    return both(
      (l) =>
        `hat ${number(share, l)} % des Monatsbudgets von ${euro(w.budget_eur ?? '0', l)} verbraucht${passed('Schwelle', l)}`,
      (l) =>
        `has spent ${number(share, l)} % of the monthly budget of ${euro(w.budget_eur ?? '0', l)}${passed('threshold', l)}`,
    );
  },
  budget_prognose: (w) =>
    both(
      (l) =>
        `wird das Monatsbudget von ${euro(w.budget_eur ?? '0', l)} überschreiten, erwartet ${euro(w.prognose_eur ?? '0', l)}`,
      (l) =>
        `will exceed the monthly budget of ${euro(w.budget_eur ?? '0', l)}, expected ${euro(w.prognose_eur ?? '0', l)}`,
    ),
  budget_tempo: (w) =>
    both(
      (l) =>
        `verbraucht das Monatsbudget von ${euro(w.budget_eur ?? '0', l)} ${number(w.tempo ?? 0, l)}-mal schneller, als es reicht`,
      (l) =>
        `spends the monthly budget of ${euro(w.budget_eur ?? '0', l)} ${number(w.tempo ?? 0, l)} times faster than it lasts`,
    ),
  eingriff_missachtet: (w) =>
    both(
      (l) => `ruft weiter auf, obwohl eingegriffen wurde: ${number(w.aufrufe ?? 0, l)} Aufrufe`,
      (l) => `goes on calling despite an intervention: ${number(w.aufrufe ?? 0, l)} calls`,
    ),
};

/** The money behind it; nothing where none is known. */
function moneyOf({ kostenEur, verbranntEur, potentialEur }: Told): Sentence {
  const part = (value: string | null, de: string, en: string): Sentence[] =>
    value === null || /^0(\.0*)?$/.test(value)
      ? []
      : [{ de: `${euro(value, 'de')} ${de}`, en: `${euro(value, 'en')} ${en}` }];
  const parts = [
    ...part(kostenEur, 'Kosten', 'cost'),
    ...part(verbranntEur, 'davon verbrannt', 'of it burnt'),
    ...part(potentialEur, 'zu sparen', 'could be saved'),
  ];
  const join = (language: 'de' | 'en') => parts.map((each) => each[language]).join(', ');
  return parts.length === 0 ? { de: '', en: '' } : { de: `: ${join('de')}`, en: `: ${join('en')}` };
}

/** The finding as one sentence. */
export function sentenceOf(told: Told): Sentence {
  const clauseOf = (CLAUSES as Record<string, (werte: never) => Sentence>)[told.typ] ?? OTHERS[told.typ];
  const subject = subjectOf(told);
  const clause = clauseOf?.(told.werte as never) ?? { de: `: ${told.typ}`, en: `: ${told.typ}` };
  const money = moneyOf(told);
  return {
    de: `${subject.de} ${clause.de}${money.de}.`,
    en: `${subject.en} ${clause.en}${money.en}.`,
  };
}

/** What was ordered; whether anybody obeyed is not known when it is told. */
const ORDERED: Partial<Record<Stufe, Sentence>> = {
  drosseln: { de: 'Drosselung angeordnet', en: 'slowing down ordered' },
  anhalten: { de: 'Halt angeordnet', en: 'stop ordered' },
  sperren: { de: 'Sperre angeordnet', en: 'block ordered' },
};
const TOO_LATE: Sentence = { de: 'zu spät für einen Halt', en: 'too late for a stop' };

/** Whether the run had been over when it was found: its order can have stopped nothing. */
const isTooLate = ({ objektArt, werte }: Told, stufe: Stufe, found: Date): boolean =>
  objektArt === 'lauf' &&
  stufe === 'anhalten' &&
  typeof werte.bis === 'string' &&
  found.getTime() - Date.parse(werte.bis) > OVER_MS;

/** The headline: `Schleife: support/triage – Halt angeordnet`. */
export function titleOf(told: Told, stufe: Stufe, found: Date): Sentence {
  const names: Record<string, Sentence | undefined> = REGELTYP_TEXTE;
  const name = names[told.typ] ?? { de: told.typ, en: told.typ };
  const whom = told.agent ?? told.objekt;
  const done = isTooLate(told, stufe, found) ? TOO_LATE : ORDERED[stufe];
  const title = (language: 'de' | 'en') =>
    `${name[language]}${whom ? `: ${whom}` : ''}${done ? ` – ${done[language]}` : ''}`;
  return { de: title('de'), en: title('en') };
}
