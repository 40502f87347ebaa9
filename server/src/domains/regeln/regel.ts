/** What a rule is, as everybody who acts on rules sees it. */
import { type Geltungsbereich, isRegeltyp, type ParameterVon, type Regeltyp, type Stufe } from '#contracts';

export interface Regel<T extends Regeltyp = Regeltyp> {
  regel_id: string;
  name: string;
  typ: T;
  geltungsbereich: Geltungsbereich;
  /** The value of the dimension it holds for (key, reference, name); null: everything. */
  bezug: string | null;
  /** Exact decimal; null where the type has none. */
  schwelle: string | null;
  einheit: string | null;
  stufe: Stufe;
  /** A duration (`15m`, `24h`, `7d`), or `stunde`, `tag`, `monat`; null where the type has none. */
  zeitfenster: string | null;
  schattenbetrieb: boolean;
  parameter: ParameterVon<T>;
}

/** The same, narrowed to its type. */
export type RegelVon = { [T in Regeltyp]: Regel<T> }[Regeltyp];

/** A row of `regeln` as it is acted on; null for a type that this version does not know. */
export function fromRow(row: RegelRow): RegelVon | null {
  return isRegeltyp(row.typ) ? (row as RegelVon) : null;
}

/** As the tables have it. */
export interface RegelRow extends Omit<Regel, 'typ' | 'parameter'> {
  typ: string;
  parameter: unknown;
}
