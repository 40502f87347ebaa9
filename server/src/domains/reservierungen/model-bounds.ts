/** How much models take and write at most, where a request does not bound it: by families, as their makers say. */

export interface ModelBounds {
  eingabe: number;
  ausgabe: number;
}

const K = 1_000;

/** The first that matches the name of a model holds. */
const FAMILIES: readonly (readonly [RegExp, ModelBounds])[] = [
  [/embed/, { eingabe: 32 * K, ausgabe: 0 }],
  [/gpt-5.*chat/, { eingabe: 128 * K, ausgabe: 16_384 }],
  [/gpt-5/, { eingabe: 1_050 * K, ausgabe: 128 * K }],
  [/gpt-4\.1/, { eingabe: 1_047_576, ausgabe: 32_768 }],
  [/gpt-4o|chatgpt-4o/, { eingabe: 128 * K, ausgabe: 16_384 }],
  [/gpt-4-(turbo|1106|0125)/, { eingabe: 128 * K, ausgabe: 4_096 }],
  [/gpt-4/, { eingabe: 32_768, ausgabe: 32_768 }],
  [/gpt-3\.5/, { eingabe: 16_385, ausgabe: 4_096 }],
  [/(^|\/|\.)o[134](-|$)/, { eingabe: 200 * K, ausgabe: 100 * K }],
  [/claude/, { eingabe: 1_000 * K, ausgabe: 128 * K }],
  [/gemini-(1|2\.0)/, { eingabe: 2_097_152, ausgabe: 8_192 }],
  [/gemini/, { eingabe: 1_048_576, ausgabe: 65_536 }],
  [/command/, { eingabe: 256 * K, ausgabe: 32 * K }],
  [/(mi|minis|magis|pix|devs|code?s)tral|ministral|codestral/, { eingabe: 262_144, ausgabe: 262_144 }],
  [/deepseek/, { eingabe: 163_840, ausgabe: 65_536 }],
];

/** Null of models that nobody here has heard of. */
export function boundsOf(modell: string | null): ModelBounds | null {
  if (modell === null) return null;
  const name = modell.toLowerCase();
  return FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
