/** Master data of end customers, as a person gives them. */
import { InvalidInput } from '#kernel/errors.ts';
import type { Sentence } from '#kernel/sentence.ts';
import { accountProblem, costCentreProblem, customerNameProblem, markupProblem } from '../master-data.ts';
import type { Stammdaten } from '../store/endkunden.ts';

const PROBLEMS: { [field in keyof Stammdaten]?: (text: string) => Sentence | null } = {
  name: customerNameProblem,
  kostenstelle: costCentreProblem,
  debitorenkonto: accountProblem,
  aufschlag_prozent: markupProblem,
};

const emptyIsNull = (text: string | null | undefined) =>
  text === undefined ? undefined : text?.trim() || null;

type Given = { [field in keyof Stammdaten]?: string | null | undefined };

/** The fields that are given, as they are kept. Throws InvalidInput by field. */
export function givenMasterData(input: Given): Partial<Stammdaten> {
  const { aufschlag_prozent: aufschlag } = input;
  const fields: Given = {
    name: emptyIsNull(input.name),
    kostenstelle: emptyIsNull(input.kostenstelle),
    debitorenkonto: emptyIsNull(input.debitorenkonto),
    email: emptyIsNull(input.email),
    aufschlag_prozent: aufschlag === null ? '0' : aufschlag,
  };
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  const faults = set.flatMap(([field, value]) => {
    const problem = value ? PROBLEMS[field as keyof Stammdaten]?.(value) : null;
    return problem ? [{ path: [field] as [string], reason: problem, input: value }] : [];
  });
  if (faults.length > 0) throw new InvalidInput(faults);
  return Object.fromEntries(set);
}
