/** The schemas of an event, as it is sent and as it is shown, made of the description of its fields. */
import type { TNull, TOptional, TSchema, TUnion } from 'typebox';
import {
  ADDED_FIELDS,
  type EventField,
  type FieldKind,
  mayBeNull,
  type NeverNull,
  SENT_FIELDS,
} from './event-fields.ts';
import {
  boolean,
  count,
  datetime,
  decimal,
  decimalInput,
  field,
  freeData,
  nullable,
  record,
  sum,
  Type,
  text,
  uuid,
} from './kit/index.ts';
import { type FactKind, PRICE_FACTS, type PriceFact } from './price-facts.ts';

const BY_KIND = {
  uuid,
  instant: datetime,
  count,
  sum,
  text: ({ max }: EventField) => text(max === undefined ? {} : { max }),
  fingerprint: () => Type.String({ pattern: '^[0-9a-fA-F]{16}$' }),
  flag: () => boolean(),
  object: () => record(),
  decimal,
} satisfies Record<FieldKind, (field: EventField) => TSchema>;

type Value<Field extends EventField> = ReturnType<(typeof BY_KIND)[Field['kind']]>;
type Sent<Field extends EventField> = TOptional<
  Field extends { nullable: false } ? Value<Field> : TUnion<[Value<Field>, TNull]>
>;
type Shown<Field extends EventField> = Field extends NeverNull ? Value<Field> : TUnion<[Value<Field>, TNull]>;

/** A field's schema, made for it alone, with what the document says of it. */
function schemaOf(field: EventField, mayBeNull: boolean, preset: EventField['default']): TSchema {
  const value = BY_KIND[field.kind](field);
  return Object.assign(mayBeNull ? nullable(value) : value, {
    description: field.meaning,
    ...(preset === undefined ? {} : { default: preset }),
  });
}

const mapped = (fields: Record<string, EventField>, schema: (field: EventField) => TSchema) =>
  Object.fromEntries(Object.entries(fields).map(([name, described]) => [name, schema(described)]));

const FACTS = {
  text: ({ max }: PriceFact) => text(max === undefined ? {} : { max }),
  count,
  decimal: () => decimalInput({ min: '0' }),
  flag: boolean,
} satisfies Record<FactKind, (fact: PriceFact) => TSchema>;

/** The free data of an event with the keys that a price may depend on. Whether these are right, the domain says. */
const Zusatz = freeData(
  'Zusatz',
  'Free data of the sender; kept as sent. The keys named here say how to count and what the call cost: a value of another kind, or one that contradicts the counts, is refused. In `projekt` a text names the project.',
  Object.fromEntries(
    Object.entries(PRICE_FACTS).map(([name, fact]: [string, PriceFact]) => [
      name,
      field(nullable(FACTS[fact.kind](fact)), fact.meaning),
    ]),
  ),
);

/** Of an event as it is sent. */
export const sentSchemas = mapped(SENT_FIELDS, (sent) =>
  Type.Optional(
    sent.kind === 'object'
      ? field(nullable(Zusatz), sent.meaning)
      : schemaOf(sent, sent.nullable !== false, sent.default),
  ),
) as { -readonly [Name in keyof typeof SENT_FIELDS]: Sent<(typeof SENT_FIELDS)[Name]> };

const COUNTED_FIELDS = { ...SENT_FIELDS, ...ADDED_FIELDS };

/** Of an event as it was counted. */
export const countedSchemas = mapped(COUNTED_FIELDS, (counted) =>
  schemaOf(counted, mayBeNull(counted), undefined),
) as { -readonly [Name in keyof typeof COUNTED_FIELDS]: Shown<(typeof COUNTED_FIELDS)[Name]> };
