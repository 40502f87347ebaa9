/** Lists: one form of pages for all whose length the data decide, a stated maximum for every other. */
import { field, integer, nullable, preset, type TSchema, Type, text } from './types.ts';

/** Rows of one answer at most, whatever is asked for. */
export const MAX_ROWS = 1_000;

/** `limit` and `nach`, the query parameters of a list that comes in pages; `rows` unless another number is asked for. */
export const pageQuery = (rows = MAX_ROWS) => ({
  limit: preset(field(integer({ min: 1, max: MAX_ROWS }), 'Rows of an answer at most.'), rows),
  nach: Type.Optional(
    field(
      text({ max: 4_000 }),
      'Where the page begins: the `weiter` of the answer before, as it is. The first page when left out.',
    ),
  ),
});

/** `weiter`, the field of an answer that says where the next page begins. */
export const weiter = field(
  nullable(text()),
  'Pass as `nach` for the rows that follow; null when there are none.',
);

/** A list that never has more than `max` entries. */
export const listOf = <T extends TSchema>(entries: T, max: number) => Type.Array(entries, { maxItems: max });

/** The rows of a page. */
export const rowsOf = <T extends TSchema>(row: T) => listOf(row, MAX_ROWS);
