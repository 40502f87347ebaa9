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

const MINUTES: Record<string, number> = { m: 1, h: 60, d: 1_440 };

/** Minutes of a duration `15m`, `24h`, `7d`; null for anything else. At most 366 days. */
export function minutesOf(duration: string): number | null {
  const [, count, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(duration) ?? [];
  if (!count || !unit) return null;
  const minutes = Number(count) * (MINUTES[unit] as number);
  return minutes <= 366 * 1_440 ? minutes : null;
}
