/** Numbers as people type them into a field, and as the service reads them: digits and a point. */
import type { Language } from './number.ts';

/** Thousands with their sign, as `1.000` or `12.500,50` is meant in German. */
const grouped = { de: /^[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/, en: /^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/ };

/** A number as people of the language type it, as the service reads it; anything else as it is. */
export function readNumber(text: string, language: Language): string {
  const trimmed = text.trim();
  const [thousands, comma] = language === 'de' ? ['.', ','] : [',', '.'];
  const plain = grouped[language].test(trimmed) ? trimmed.replaceAll(thousands, '') : trimmed;
  return plain.replace(comma, '.');
}

/** A whole number as it was typed; what is none stays text, so that the service says so. */
export function readWhole(text: string, language: Language): number | string {
  const plain = readNumber(text, language);
  return /^-?\d{1,15}$/.test(plain) ? Number(plain) : plain;
}

/** A decimal of the service as it stands in a field. */
export const writeNumber = (value: string, language: Language): string =>
  language === 'de' ? value.replace('.', ',') : value;
