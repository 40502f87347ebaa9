/** What may be kept as a view: something that leads to a page of the cockpit and to nothing else. */
import { ANSICHT_PFAD, type ansichtAendern, type BodyOf } from '#contracts';
import { InvalidInput } from '#kernel/errors.ts';
import { requireName } from '#kernel/name.ts';
import { noName, notAPage, notAQuery } from './errors.ts';

/** What a user says of a view. */
export interface Inhalt {
  name: string;
  pfad: string;
  /** Without the question mark. */
  suche: string;
}

const PAGE = new RegExp(ANSICHT_PFAD);
/** Where the interface is, not the cockpit. */
const INTERFACE = /^\/v\d+(?:\/|$)/i;

/** Whether a path leads to a page of the cockpit. */
const isPage = (pfad: string): boolean => PAGE.test(pfad) && !INTERFACE.test(pfad);

/** Whether a text may stand behind the question mark of an address, all of it. */
const isQuery = (suche: string): boolean => !/^\?|[#\p{Cc}\p{Zl}\p{Zp}]/u.test(suche);

/** What is given, in the form it is stored in. Throws 422. */
export function inhaltOf({ name, pfad, suche }: BodyOf<typeof ansichtAendern>): Partial<Inhalt> {
  const trimmed = name?.trim();
  if (trimmed !== undefined) requireName('name', trimmed);
  const faults = [
    ...(trimmed === '' ? [noName(name ?? '')] : []),
    ...(pfad != null && !isPage(pfad) ? [notAPage(pfad)] : []),
    ...(suche != null && !isQuery(suche) ? [notAQuery(suche)] : []),
  ];
  if (faults.length > 0) throw new InvalidInput(faults);
  return {
    ...(trimmed === undefined ? {} : { name: trimmed }),
    ...(pfad == null ? {} : { pfad }),
    ...(suche == null ? {} : { suche }),
  };
}
