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
import { boolean, count, datetime, decimal, nullable, record, Type, text, uuid } from './kit/index.ts';

const BY_KIND = {
  uuid,
  instant: datetime,
  count,
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
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schema(field)]));

/** Of an event as it is sent. */
export const sentSchemas = mapped(SENT_FIELDS, (field) =>
  Type.Optional(schemaOf(field, field.nullable !== false, field.default)),
) as { -readonly [Name in keyof typeof SENT_FIELDS]: Sent<(typeof SENT_FIELDS)[Name]> };

const COUNTED_FIELDS = { ...SENT_FIELDS, ...ADDED_FIELDS };

/** Of an event as it was counted. */
export const countedSchemas = mapped(COUNTED_FIELDS, (field) =>
  schemaOf(field, mayBeNull(field), undefined),
) as { -readonly [Name in keyof typeof COUNTED_FIELDS]: Shown<(typeof COUNTED_FIELDS)[Name]> };
