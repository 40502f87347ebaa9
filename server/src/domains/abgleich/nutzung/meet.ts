/** Which names of models that differ by a date alone are one model. */

/** `-2024-08-06`, `-20240806` at the end of a name. */
const DATE = /-20\d{2}(-?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])$/;

const undated = (modell: string): string => modell.replace(DATE, '');

/** Names that the other side does not have, by what they are without a date. */
const alone = (names: ReadonlySet<string>, other: ReadonlySet<string>): Map<string, string[]> =>
  Map.groupBy(
    [...names].filter((name) => !other.has(name)),
    undated,
  );

/**
 * The names of a file that mean a counted model of another name, each with that one: a dated name and the same without a date, where neither side
 * has a second one that could be meant. Names that both sides have are settled; two dates are two models.
 */
export function meet(file: ReadonlySet<string>, counted: ReadonlySet<string>): ReadonlyMap<string, string> {
  const ours = alone(counted, file);
  const met = new Map<string, string>();
  for (const [base, [name, second]] of alone(file, counted)) {
    const [as, other] = ours.get(base) ?? [];
    const isOne = second === undefined && other === undefined;
    if (name !== undefined && as !== undefined && isOne && (name === base || as === base)) met.set(name, as);
  }
  return met;
}
