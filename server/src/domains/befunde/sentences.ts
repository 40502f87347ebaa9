/**
 * Findings in words: one plain sentence with the figures, in German and English. What it says is right at the moment it is
 * written; interventions and alarms keep it as it was then.
 */
import {
  isRegeltyp,
  isTypOhneRegel,
  type Objektart,
  OHNE_REGEL,
  REGELTYP_TEXTE,
  REGELTYPEN,
  type Satz,
  type Schreibweise,
  type Stufe,
} from '#contracts';
import { OVER_MS } from '#domains/eingriffe/index.ts';
import type { Sentence } from '#kernel/sentence.ts';
import type { Candidate } from './candidate.ts';

/** What sentences are made of: the finding, whether it was just found or read from its table. */
export type ToldFinding = Pick<
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

const OBJECTS: Record<Objektart, Sentence> = {
  lauf: { de: 'Lauf', en: 'Run' },
  agent: { de: 'Agent', en: 'Agent' },
  projekt: { de: 'Projekt', en: 'Project' },
  endkunde: { de: 'Endkunde', en: 'End customer' },
  funktion: { de: 'Funktion', en: 'Function' },
  modell: { de: 'Modell', en: 'Model' },
  benutzer: { de: 'Benutzer', en: 'User' },
  schluessel: { de: 'API-Schlüssel', en: 'API key' },
  mandant: { de: 'Das Konto', en: 'The account' },
};

/** An API key by its name, where the finding says it; else by the beginning of its id. */
const keyNameOf = (id: string, { name }: Record<string, unknown>): string =>
  typeof name === 'string' ? name : id.slice(0, 8);

/** What it is about: `Lauf 1b47d40a von support/triage`, `Agent support/triage`. */
export function subjectOf({
  objektArt,
  objekt,
  agent,
  werte = {},
}: Pick<ToldFinding, 'objektArt' | 'objekt' | 'agent'> & Partial<Pick<ToldFinding, 'werte'>>): Sentence {
  const kind = OBJECTS[objektArt];
  if (objektArt === 'mandant') return kind;
  if (objektArt === 'schluessel') {
    const name = keyNameOf(objekt, werte);
    return { de: `${kind.de} ${name}`, en: `${kind.en} ${name}` };
  }
  if (objektArt !== 'lauf') return { de: `${kind.de} ${objekt}`, en: `${kind.en} ${objekt}` };
  const of = agent === null ? { de: '', en: '' } : { de: ` von ${agent}`, en: ` of ${agent}` };
  return { de: `${kind.de} ${objekt.slice(0, 8)}${of.de}`, en: `${kind.en} ${objekt.slice(0, 8)}${of.en}` };
}

const UNITS: Record<string, Sentence> = {
  aufrufe: { de: 'Aufrufe', en: 'calls' },
  token: { de: 'Token', en: 'tokens' },
};
const STEPS: Sentence = { de: 'Schritte', en: 'steps' };

const createSchreibweise = (language: 'de' | 'en'): Schreibweise => {
  const zahl = (value: number | string) => number(value, language);
  return {
    zahl,
    euro: (value) => euro(value, language),
    menge: (value, einheit) =>
      einheit === 'eur' ? euro(value, language) : `${zahl(value)} ${UNITS[einheit]?.[language]}`,
    schritte({ schritte, anzahl }) {
      const [first, last] = [schritte[0], schritte.at(-1)];
      if (first === undefined || last === undefined) return '';
      if (anzahl > schritte.length)
        return language === 'de' ? ` (ab Schritt ${zahl(first)})` : ` (from step ${zahl(first)} on)`;
      return first === last ? '' : ` (${STEPS[language]} ${zahl(first)} – ${zahl(last)})`;
    },
    namen: (names) => names.slice(0, 3).join(', ') + (names.length > 3 ? ' …' : ''),
  };
};
const WRITING = { de: createSchreibweise('de'), en: createSchreibweise('en') };

/** The cause in words, as the declaration of its type says it; of one that this version does not know its name. */
function clauseOf({ typ, werte }: ToldFinding): Sentence {
  const declared = isRegeltyp(typ) ? REGELTYPEN[typ] : isTypOhneRegel(typ) ? OHNE_REGEL[typ] : null;
  if (!declared) return { de: `: ${typ}`, en: `: ${typ}` };
  const satz = declared.satz as Satz<ToldFinding['werte']>;
  return { de: satz.de(werte, WRITING.de), en: satz.en(werte, WRITING.en) };
}

/** The money behind it; nothing where none is known. */
function moneyOf({ kostenEur, verbranntEur, potentialEur }: ToldFinding): Sentence {
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
export function sentenceOf(told: ToldFinding): Sentence {
  const subject = subjectOf(told);
  const clause = clauseOf(told);
  const money = moneyOf(told);
  return {
    de: `${subject.de} ${clause.de}${money.de}.`,
    en: `${subject.en} ${clause.en}${money.en}.`,
  };
}

/** What was ordered; whether anybody obeyed is not known at that moment. */
const ORDERED: Partial<Record<Stufe, Sentence>> = {
  drosseln: { de: 'Drosselung angeordnet', en: 'slowing down ordered' },
  anhalten: { de: 'Halt angeordnet', en: 'stop ordered' },
  sperren: { de: 'Sperre angeordnet', en: 'block ordered' },
};
const TOO_LATE: Sentence = { de: 'zu spät für einen Halt', en: 'too late for a stop' };

/** Whether the run had been over when it was found: its order can have stopped nothing. */
const isTooLate = ({ objektArt, werte }: ToldFinding, stufe: Stufe, found: Date): boolean =>
  objektArt === 'lauf' &&
  stufe === 'anhalten' &&
  typeof werte.bis === 'string' &&
  found.getTime() - Date.parse(werte.bis) > OVER_MS;

/** The headline: `Schleife: support/triage – Halt angeordnet`. */
export function titleOf(told: ToldFinding, stufe: Stufe, found: Date): Sentence {
  const names: Record<string, Sentence | undefined> = REGELTYP_TEXTE;
  const name = names[told.typ] ?? { de: told.typ, en: told.typ };
  const { agent, objektArt, objekt, werte } = told;
  const whom = agent ?? (objektArt === 'schluessel' ? keyNameOf(objekt, werte) : objekt);
  const done = isTooLate(told, stufe, found) ? TOO_LATE : ORDERED[stufe];
  const title = (language: 'de' | 'en') =>
    `${name[language]}${whom ? `: ${whom}` : ''}${done ? ` – ${done[language]}` : ''}`;
  return { de: title('de'), en: title('en') };
}
