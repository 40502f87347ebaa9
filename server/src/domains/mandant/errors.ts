import { AppError, conflict, InvalidInput, type ValueFault } from '#kernel/errors.ts';
import type { Sentence } from '#kernel/sentence.ts';
import type { Funktion, Paket } from './packages.ts';

export const noLogo = () =>
  new AppError('not-found', 'kein_logo', { de: 'Es ist kein Logo eingetragen.', en: 'No logo is entered.' });

/** One answer whatever is at the address: it tells nothing of what the service can reach. */
export const logoUnreadable = () =>
  conflict('logo_nicht_ladbar', {
    de: 'Unter der eingetragenen Adresse ist kein Logo zu laden: ein PNG oder JPEG von höchstens 512 KiB.',
    en: 'There is no logo to load at the address entered: a PNG or JPEG of 512 KiB at most.',
  });

const FUNKTIONEN: Record<Funktion, Sentence> = {
  eigenes_aussehen: { de: 'Ein eigenes Aussehen', en: 'An appearance of your own' },
  firmenkonto: { de: 'Die Anmeldung mit Firmenkonto', en: 'Sign-in with a company account' },
};

/** The package has not got it. */
export const notInPackage = ({ name }: Paket, funktion: Funktion) =>
  conflict('funktion_nicht_im_tarif', {
    de: `${FUNKTIONEN[funktion].de} gehört nicht zu Ihrem Tarif „${name}“. Was eingerichtet ist, bleibt.`,
    en: `${FUNKTIONEN[funktion].en} is not part of your plan “${name}”. What is set up stays.`,
  });

/** 409: somebody at the address has agreed already. */
export const receiptDecided = () =>
  conflict('empfang_entschieden', {
    de: 'An dieser Adresse hat schon jemand zugestimmt, Alarme zu bekommen.',
    en: 'Somebody at this address has already agreed to get alerts.',
  });

/** What is wrong with a field of the body, as a clause; `input` is left out where it is a secret. */
export interface FieldProblem {
  field: string;
  problem: Sentence | null;
  input?: unknown;
}

/** Throws 422 with an entry for every field that has a problem. */
export function refuseFaulty(fields: FieldProblem[]): void {
  const faults = fields.flatMap(({ field, problem, input }): ValueFault[] =>
    problem === null
      ? []
      : [{ path: [field], reason: { de: `${field} ${problem.de}`, en: `${field} ${problem.en}` }, input }],
  );
  if (faults.length > 0) throw new InvalidInput(faults);
}
