/** The query parameters that keep to calls with one value of a dimension, alike wherever calls or runs are asked for. */
import { field, listOf, Type, text } from './kit/index.ts';
import {
  DIMENSION_NAMES,
  DIMENSIONS,
  type DimensionName,
  OWN_DIMENSION_NAMES,
  type OwnDimensionName,
} from './rollup.ts';

type ValueFilters = { [N in DimensionName]: ReturnType<typeof Type.Optional<ReturnType<typeof text>>> };

/** One for each dimension; '' are those without a value. `of`: what is kept to, in the plural. */
export const valueFilters = (of = 'calls'): ValueFilters =>
  Object.fromEntries(
    DIMENSION_NAMES.map((name) => [
      name,
      Type.Optional(
        field(text(), `Only ${of} with this value. ${DIMENSIONS[name].meaning} Empty: those without one.`),
      ),
    ]),
  ) as unknown as ValueFilters;

/** Values of a dimension that may be asked for at once. */
const MAX_VALUES = 100;

type ValuesFilters = {
  [N in DimensionName | OwnDimensionName]: ReturnType<
    typeof Type.Optional<ReturnType<typeof listOf<ReturnType<typeof text>>>>
  >;
};

const valuesFilter = (meaning: string) =>
  Type.Optional(
    field(
      listOf(text(), MAX_VALUES),
      `Only calls with this value; repeated, with one of these. ${meaning} Empty: those without one.`,
    ),
  );

/** Likewise, with several values of each, and for the dimensions of the Mandant's own. */
export const valuesFilters = (): ValuesFilters =>
  Object.fromEntries([
    ...DIMENSION_NAMES.map((name) => [name, valuesFilter(DIMENSIONS[name].meaning)]),
    ...OWN_DIMENSION_NAMES.map((name) => [name, valuesFilter("A dimension of the account's own.")]),
  ]) as unknown as ValuesFilters;
