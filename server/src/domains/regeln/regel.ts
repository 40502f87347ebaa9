/** What a rule is, as everybody who acts on rules sees it. */
import {
  type Geltungsbereich,
  isRegeltyp,
  type ParameterVon,
  REGELTYPEN,
  type Regeltyp,
  type Stufe,
} from '#contracts';

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
  if (!isRegeltyp(row.typ)) return null;
  return { ...row, parameter: filledIn(row.typ, row.parameter) } as RegelVon;
}

/** Parameters of a rule, with the defaults of those that its type has got since it was put in. */
export function filledIn(typ: Regeltyp, parameter: unknown): Record<string, unknown> {
  const known = REGELTYPEN[typ].parameter.properties as Record<string, { default?: unknown }>;
  const presets = Object.entries(known).filter(([, schema]) => schema.default !== undefined);
  return {
    ...Object.fromEntries(presets.map(([name, schema]) => [name, schema.default])),
    ...(parameter as Record<string, unknown>),
  };
}

/** As the tables have it. */
export interface RegelRow extends Omit<Regel, 'typ' | 'parameter'> {
  typ: string;
  parameter: unknown;
}
