import type { Regeltyp } from '../../api/types.ts';
import type { Draft } from './draft.ts';

/** What every part of the form is given. */
export interface FieldsProps {
  draft: Draft;
  type: Regeltyp;
  /** What the service found wrong with a field. */
  fault: (field: string) => string | undefined;
  onChange: (next: Partial<Draft>) => void;
}
