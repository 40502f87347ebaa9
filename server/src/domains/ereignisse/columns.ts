/**
 * The columns of a counted event: what was sent, and what counting adds. From here follow the rows that are copied, what is
 * read back of them, and the lists of an export; a test compares them with the table.
 */
import { ADDED_FIELDS, type EventField, type FieldKind, mayBeNull, SENT_FIELDS } from '#contracts';

const FIELDS = { ...SENT_FIELDS, ...ADDED_FIELDS };

export type EventColumn = keyof typeof FIELDS;
/** The columns that counting fills in. */
export type CountingColumn = keyof typeof ADDED_FIELDS;

const SQL_TYPES: Record<FieldKind, string> = {
  uuid: 'uuid',
  instant: 'timestamptz',
  count: 'bigint',
  sum: 'bigint',
  text: 'text',
  fingerprint: 'bytea',
  flag: 'boolean',
  object: 'json',
  decimal: 'numeric',
};

/** How a value is read as answers and files show it: fingerprints in hex, decimals exact and without trailing zeros. */
const expressionOf = (name: string, kind: FieldKind): string => {
  if (kind === 'fingerprint') return `encode(${name}, 'hex')`;
  return kind === 'decimal' ? `trim_scale(${name})::text` : name;
};

export interface ColumnOfEvents {
  name: EventColumn;
  kind: FieldKind;
  sqlType: string;
  mayBeNull: boolean;
  /** SQL that reads it. */
  expression: string;
  /** What it means, German. */
  bedeutung: string;
}

/** The columns of `ereignisse`, but for the Mandant. */
export const EVENT_COLUMNS: readonly ColumnOfEvents[] = (
  Object.entries(FIELDS) as [EventColumn, EventField][]
).map(([name, field]) => ({
  name,
  kind: field.kind,
  sqlType: SQL_TYPES[field.kind],
  mayBeNull: mayBeNull(field),
  expression: expressionOf(name, field.kind),
  bedeutung: field.bedeutung,
}));
