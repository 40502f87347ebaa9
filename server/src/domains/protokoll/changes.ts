import { isDeepStrictEqual } from 'node:util';

type Fields = Record<string, unknown>;

/** The fields that differ, before and after; null when none does. Both sides carry the same fields. */
export function changedFields(vorher: Fields, nachher: Fields): { vorher: Fields; nachher: Fields } | null {
  const changed = Object.keys(nachher).filter((name) => !isDeepStrictEqual(vorher[name], nachher[name]));
  if (changed.length === 0) return null;
  const pick = (fields: Fields) => Object.fromEntries(changed.map((name) => [name, fields[name]]));
  return { vorher: pick(vorher), nachher: pick(nachher) };
}
