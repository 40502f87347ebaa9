import { AppError, conflict, InvalidInput, type ValueFault } from '#kernel/errors.ts';

export const noLogo = () => new AppError('not-found', 'kein_logo', 'Es ist kein Logo eingetragen.');

/** One answer whatever is at the address: it tells nothing of what the service can reach. */
export const logoUnreadable = () =>
  conflict(
    'logo_nicht_ladbar',
    'Unter der eingetragenen Adresse ist kein Logo zu laden: ein PNG oder JPEG von höchstens 512 KiB.',
  );

/** What is wrong with a field of the body, as a German clause; `input` is left out where it is a secret. */
export interface FieldProblem {
  field: string;
  problem: string | null;
  input?: unknown;
}

/** Throws 422 with an entry for every field that has a problem. */
export function refuseFaulty(fields: FieldProblem[]): void {
  const faults = fields.flatMap(({ field, problem, input }): ValueFault[] =>
    problem === null ? [] : [{ path: [field], reason: `${field} ${problem}`, input }],
  );
  if (faults.length > 0) throw new InvalidInput(...faults);
}
