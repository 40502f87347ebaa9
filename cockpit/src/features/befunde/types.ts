/** The kinds of findings, in the order of the catalogue. */
import type { Befund } from '../../api/types.ts';
import { regeln } from '../../i18n/de/regeln.ts';

export type FindingType = Befund['typ'];

/** Every kind has a name among the texts, and only kinds have. */
export const findingTypes = Object.keys(regeln.typ) as FindingType[];
