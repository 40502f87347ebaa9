import { type Expression, type RawBuilder, sql } from 'kysely';

/** An exact decimal of the database as plain text, without zeros at its end; null stays null. */
export const exactText = <V extends string | null>(value: Expression<V>): RawBuilder<V> =>
  sql<V>`trim_scale(${value})::text`;
