/** The query parameters that keep to calls with one value of a dimension, alike wherever calls or runs are asked for. */
import { field, Type, text } from './kit/index.ts';
import { DIMENSION_NAMES, DIMENSIONS, type DimensionName } from './rollup.ts';

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
