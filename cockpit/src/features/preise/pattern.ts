/** Which models a pattern of the price book fits, as the service compares them. */

/**
 * Whether a name fits a pattern, in which `*` stands for any characters and everything else for itself, in any case. Each part is
 * looked for where it comes first: no pattern takes longer than its name times its parts.
 */
export function fits(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.trim().toLowerCase().split('*');
  const text = name.toLowerCase();
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

/** Those of the models that an entry fits; an entry without a provider fits any. */
export const fitting = <Model extends { modell: string; anbieter: string | null }>(
  entry: { modell: string; anbieter: string },
  models: readonly Model[],
): Model[] => {
  const provider = entry.anbieter.trim().toLowerCase();
  return models.filter(
    ({ modell, anbieter }) =>
      fits(entry.modell, modell) && (provider === '' || provider === anbieter?.toLowerCase()),
  );
};
