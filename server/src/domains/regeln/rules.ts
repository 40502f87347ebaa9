/** What a rule may be: the wish checked against its type and filled in. Pure; all faults are named at once. */
import {
  decimalInput,
  type Geltungsbereich,
  REGELTYP_NAMEN,
  REGELTYPEN,
  type Regeltyp,
  STUFEN,
  type Stufe,
  Type,
} from '#contracts';
import { type Check, compileCheck, type Fault } from '#http/check/index.ts';
import { minutesOf } from '#kernel/duration.ts';
import { InvalidInput, type ValueFault } from '#kernel/errors.ts';
import { fitsEur } from '#kernel/money.ts';

/** A rule as it is wanted; null where the default of its type is. */
export interface Wish {
  typ: Regeltyp;
  geltungsbereich: Geltungsbereich;
  bezug_id: string | null;
  schwelle: string | null;
  einheit: string | null;
  stufe: Stufe;
  zeitfenster: string | null;
  schattenbetrieb: boolean;
  aktiv: boolean;
  parameter: Record<string, unknown>;
}

/** What a change says; null or left out stays. */
export type Change = { [K in keyof Wish]?: Wish[K] | null | undefined };

type Report = (fault: ValueFault) => void;

interface TypeChecks {
  /** Null where the type has no threshold. */
  schwelle: Check | null;
  parameter: Check;
}

const CHECKS = Object.fromEntries(
  REGELTYP_NAMEN.map((typ) => {
    const { schwelle, parameter } = REGELTYPEN[typ];
    const bounds = schwelle && decimalInput({ min: schwelle.min, max: schwelle.max });
    return [
      typ,
      {
        schwelle: bounds && compileCheck(Type.Object({ schwelle: bounds })),
        parameter: compileCheck(parameter),
      },
    ];
  }),
) as Record<Regeltyp, TypeChecks>;

/** Units of what is counted: there is no half of it. */
const WHOLE: readonly string[] = ['schritte', 'zyklen', 'aufrufe', 'laeufe', 'token'];

const CALENDAR = ['stunde', 'tag', 'monat'];

const toValueFault = ({ loc, ...said }: Fault): ValueFault => ({ ...said, path: loc as ValueFault['path'] });

const refuse = (report: Report, field: string, input: unknown, de: string, en: string) =>
  report({ path: [field], reason: { de, en }, input });

function oneOfThese(report: Report, field: string, value: string, words: readonly string[]): void {
  if (!words.includes(value)) report({ path: [field], expected: words, input: value });
}

const needless = (report: Report, field: string, value: unknown) =>
  value === null ||
  refuse(report, field, value, 'Regeln dieses Typs haben das nicht', 'rules of this type have none');

const tooFine = (report: Report, path: ValueFault['path'], value: unknown) =>
  report({
    path,
    reason: { de: 'höchstens 34 Nachkommastellen', en: 'no more than 34 decimal places' },
    input: value,
  });

/** Threshold and unit; both null where the type has none. */
function thresholdOf({ typ, schwelle, einheit }: Wish, report: Report): Pick<Wish, 'schwelle' | 'einheit'> {
  const known = REGELTYPEN[typ].schwelle;
  if (known === null) {
    needless(report, 'schwelle', schwelle);
    needless(report, 'einheit', einheit);
    return { schwelle: null, einheit: null };
  }
  const units: readonly string[] = known.einheiten;
  const unit = einheit ?? known.einheiten[0];
  if (!units.includes(unit)) {
    report({ path: ['einheit'], expected: units, input: unit });
    return { schwelle, einheit: unit };
  }
  // The default is a number of the first unit.
  const value = schwelle ?? (unit === units[0] ? known.default : null);
  const checked = CHECKS[typ].schwelle?.(value === null ? {} : { schwelle: value }, []);
  if (checked && !checked.ok) for (const fault of checked.faults) report(toValueFault(fault));
  else if (value !== null && WHOLE.includes(unit) && value.includes('.'))
    refuse(report, 'schwelle', value, 'muss eine ganze Zahl sein', 'must be a whole number');
  else if (value !== null && !fitsEur(value)) tooFine(report, ['schwelle'], value);
  return { schwelle: value, einheit: unit };
}

function windowOf({ typ, zeitfenster }: Wish, report: Report): string | null {
  const known = REGELTYPEN[typ].zeitfenster;
  if (known === null) {
    needless(report, 'zeitfenster', zeitfenster);
    return null;
  }
  const value = zeitfenster ?? known.default;
  if (minutesOf(value) !== null || (known.kalender && CALENDAR.includes(value))) return value;
  const words = known.kalender ? ` (${CALENDAR.join(', ')})` : '';
  refuse(
    report,
    'zeitfenster',
    value,
    `muss eine Dauer wie 15m, 24h oder 7d sein, höchstens 366 Tage${known.kalender ? `, oder ein Abschnitt des Kalenders${words}` : ''}`,
    `must be a duration like 15m, 24h or 7d, 366 days at most${known.kalender ? `, or a part of the calendar${words}` : ''}`,
  );
  return value;
}

function parametersOf({ typ, parameter }: Wish, report: Report): Record<string, unknown> {
  const known = REGELTYPEN[typ].parameter.properties;
  for (const name of Object.keys(parameter))
    if (!Object.hasOwn(known, name))
      report({ path: ['parameter', name], type: 'extra_forbidden', msg: 'Extra inputs are not permitted' });
  const checked = CHECKS[typ].parameter(parameter, ['parameter']);
  if (!checked.ok) for (const fault of checked.faults) report(toValueFault(fault));
  const value = checked.ok ? (checked.value as Record<string, unknown>) : {};
  for (const [name, given] of Object.entries(value))
    if (typeof given === 'string' && !fitsEur(given)) tooFine(report, ['parameter', name], given);
  return value;
}

function checkReference({ geltungsbereich, bezug_id }: Wish, report: Report): void {
  const isForAll = geltungsbereich === 'mandant';
  if (isForAll === (bezug_id === null)) return;
  if (isForAll)
    refuse(
      report,
      'bezug_id',
      bezug_id,
      'eine Regel für den ganzen Mandanten nennt nichts Einzelnes',
      'a rule for the whole Mandant names nothing single',
    );
  else
    refuse(
      report,
      'bezug_id',
      bezug_id,
      'muss sagen, wofür die Regel gilt',
      'must say what the rule holds for',
    );
}

/** The rule that is wanted, with what its type says where nothing was said. Throws InvalidInput with all that is wrong. */
export function settle(wish: Wish): Wish {
  const faults: ValueFault[] = [];
  const report: Report = (fault) => void faults.push(fault);
  const { hoechstens, bereiche } = REGELTYPEN[wish.typ];
  oneOfThese(report, 'geltungsbereich', wish.geltungsbereich, bereiche);
  checkReference(wish, report);
  const threshold = thresholdOf(wish, report);
  oneOfThese(report, 'stufe', wish.stufe, STUFEN.slice(0, STUFEN.indexOf(hoechstens) + 1));
  const zeitfenster = windowOf(wish, report);
  const parameter = parametersOf(wish, report);
  if (faults.length > 0) throw new InvalidInput(faults);
  return { ...wish, ...threshold, zeitfenster, parameter };
}

/** What goes with the type of a rule alone. */
const ofType = ({ einheit, zeitfenster, parameter }: Wish) => ({ einheit, zeitfenster, parameter });
const NOTHING_OF_TYPE = { einheit: null, zeitfenster: null, parameter: {} };

/**
 * What a change makes of a rule. With another type, threshold, unit, window and parameters begin anew, with another unit the
 * threshold, with another scope what it holds for.
 */
export function changed(before: Wish, change: Change): Wish {
  const typ = change.typ ?? before.typ;
  const geltungsbereich = change.geltungsbereich ?? before.geltungsbereich;
  const isSameType = typ === before.typ;
  const isSameUnit = isSameType && (change.einheit ?? before.einheit) === before.einheit;
  /** What was said before, where it goes on to hold. */
  const kept = {
    bezug_id: geltungsbereich === before.geltungsbereich ? before.bezug_id : null,
    schwelle: isSameUnit ? before.schwelle : null,
    ...(isSameType ? ofType(before) : NOTHING_OF_TYPE),
  };
  return {
    typ,
    geltungsbereich,
    bezug_id: change.bezug_id ?? kept.bezug_id,
    schwelle: change.schwelle ?? kept.schwelle,
    einheit: change.einheit ?? kept.einheit,
    stufe: change.stufe ?? before.stufe,
    zeitfenster: change.zeitfenster ?? kept.zeitfenster,
    schattenbetrieb: change.schattenbetrieb ?? before.schattenbetrieb,
    aktiv: change.aktiv ?? before.aktiv,
    parameter: change.parameter ?? kept.parameter,
  };
}
