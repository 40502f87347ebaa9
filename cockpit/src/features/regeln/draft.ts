/** A rule as it stands in the form: every value as the text that is typed, and the way to the service and back. */
import type { InputOf } from '../../api/operations.ts';
import type { Regel, Regeltyp, Stufe } from '../../api/types.ts';
import type { Language } from '../../format/number.ts';
import { readNumber, readWhole, writeNumber } from '../../format/typed-number.ts';

type Parameter = Regeltyp['parameter'][number];

export interface Draft {
  typ: Regeltyp['typ'];
  name: string;
  geltungsbereich: Regel['geltungsbereich'];
  bezug_id: string;
  schwelle: string;
  einheit: string;
  stufe: Stufe;
  zeitfenster: string;
  parameter: Record<string, string>;
}

const isList = ({ art }: Parameter) => art === 'woerter' || art === 'zahlen';

/** What a parameter is by default, or is set to, as text. */
export function writeParameter(parameter: Parameter, value: unknown, language: Language): string {
  if (value === null || value === undefined) return '';
  if (isList(parameter)) return Array.isArray(value) ? value.join(', ') : '';
  return parameter.art === 'dezimal' ? writeNumber(String(value), language) : String(value);
}

function readParameter(parameter: Parameter, text: string, language: Language): unknown {
  if (isList(parameter)) {
    const entries = text
      .split(/[,;\n]/)
      .map((entry) => entry.trim())
      .filter(Boolean);
    return parameter.art === 'zahlen' ? entries.map((entry) => readWhole(entry, language)) : entries;
  }
  if (parameter.art === 'dezimal') return readNumber(text, language);
  return parameter.art === 'ganzzahl' ? readWhole(text, language) : text;
}

/** A new rule of a type, with its defaults; what the user has said before stays where it fits. */
export function draftFor(type: Regeltyp, language: Language, before?: Draft): Draft {
  const geltungsbereich = before && type.bereiche.includes(before.geltungsbereich) ? before : null;
  return {
    typ: type.typ,
    name: before?.name ?? '',
    geltungsbereich: geltungsbereich?.geltungsbereich ?? 'mandant',
    bezug_id: geltungsbereich?.bezug_id ?? '',
    schwelle: writeNumber(type.schwelle?.vorgabe ?? '', language),
    einheit: type.schwelle?.einheiten[0] ?? '',
    stufe: 'warnen',
    zeitfenster: type.zeitfenster?.vorgabe ?? '',
    parameter: Object.fromEntries(
      type.parameter.map((parameter) => [
        parameter.name,
        writeParameter(parameter, parameter.vorgabe, language),
      ]),
    ),
  };
}

/** A rule that is there, to be changed. */
export function draftOf(rule: Regel, type: Regeltyp, language: Language): Draft {
  return {
    typ: rule.typ,
    name: rule.name,
    geltungsbereich: rule.geltungsbereich,
    bezug_id: rule.bezug_id ?? '',
    schwelle: writeNumber(rule.schwelle ?? '', language),
    einheit: rule.einheit ?? '',
    stufe: rule.stufe,
    zeitfenster: rule.zeitfenster ?? '',
    parameter: Object.fromEntries(
      type.parameter.map((parameter) => [
        parameter.name,
        writeParameter(parameter, rule.parameter[parameter.name], language),
      ]),
    ),
  };
}

type Body = InputOf<'regelAnlegen'>['body'];

/**
 * What is sent. An empty field is left out, so that the service takes its default; of a rule that is there already an empty
 * threshold or window is sent as it is, since left out it would stay.
 */
export function toBody(draft: Draft, type: Regeltyp, language: Language, isNew: boolean): Body {
  const given = (text: string) => text !== '' || !isNew;
  const schwelle = readNumber(draft.schwelle, language);
  const zeitfenster = draft.zeitfenster.trim();
  const name = draft.name.trim();
  const bezug = draft.bezug_id.trim();
  const parameters = type.parameter.flatMap((parameter) => {
    const text = draft.parameter[parameter.name]?.trim() ?? '';
    // An empty list is one; an empty number is none.
    return text === '' && !(parameter.art === 'woerter' && !parameter.pflicht)
      ? []
      : [[parameter.name, readParameter(parameter, text, language)]];
  });
  return {
    typ: draft.typ,
    geltungsbereich: draft.geltungsbereich,
    stufe: draft.stufe,
    ...(name === '' ? {} : { name }),
    ...(draft.geltungsbereich === 'mandant' || bezug === '' ? {} : { bezug_id: bezug }),
    ...(type.schwelle && given(schwelle) ? { schwelle } : {}),
    ...(type.schwelle && draft.einheit !== '' ? { einheit: draft.einheit } : {}),
    ...(type.zeitfenster && given(zeitfenster) ? { zeitfenster } : {}),
    parameter: Object.fromEntries(parameters),
  };
}

/** Whether rules of a type can be held against past days; how high budgets were in the past is not known. */
export const hasBacktest = (typ: Draft['typ']): boolean => !typ.startsWith('budget_');

/** Whether everything is there that a rule of the type needs; whether it is right, the service says. */
export function isComplete(draft: Draft, type: Regeltyp): boolean {
  const { schwelle } = type;
  const hasDefault = schwelle?.vorgabe && draft.einheit === schwelle.einheiten[0];
  const isGiven = (text: string | undefined) => text !== undefined && text.trim() !== '';
  return (
    (draft.geltungsbereich === 'mandant' || isGiven(draft.bezug_id)) &&
    (schwelle === null || Boolean(hasDefault) || isGiven(draft.schwelle)) &&
    type.parameter.every(({ name, pflicht }) => !pflicht || isGiven(draft.parameter[name]))
  );
}

/** How far rules of a type may go, rising. */
export const levelsOf = (type: Pick<Regeltyp, 'hoechstens'>, levels: readonly Stufe[]): Stufe[] =>
  levels.slice(0, levels.indexOf(type.hoechstens) + 1);
