/** What an entry says has changed, field by field. */
import type { Protokolleintrag } from '../../api/types.ts';

export interface Change {
  field: string;
  /** Undefined where the entry says nothing of that side. */
  before: unknown;
  after: unknown;
}

/** The fields of both sides, those of the new state first. */
export function changesOf({ vorher, nachher }: Pick<Protokolleintrag, 'vorher' | 'nachher'>): Change[] {
  const fields = new Set([...Object.keys(nachher ?? {}), ...Object.keys(vorher ?? {})]);
  return [...fields].map((field) => ({ field, before: vorher?.[field], after: nachher?.[field] }));
}
