/** Colours of a document: whatever accent is wished, what is read stays readable on white paper. */

export const INK = '#14181a';
export const MUTED = '#5f696c';
export const HAIRLINE = '#cfd6d8';
export const PALE = '#f3f5f6';

/** The accent where none is wished. */
const DEFAULT = '#0b6b74';

/** One wish, in the shades that its uses need. */
export interface Accent {
  /** As it was wished: for areas that say nothing. */
  plain: string;
  /** 3 to 1 against white: for bars and rules. */
  mark: string;
  /** 4.5 to 1 against white: for text. */
  text: string;
}

type Rgb = [number, number, number];

const rgbOf = (colour: string): Rgb => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) as Rgb;
const hexOf = (rgb: Rgb) => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** The contrast of WCAG 2 against white. */
function contrastToWhite(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

/** The colour itself, or as much darker as the contrast asks for. */
function darkened(colour: string, contrast: number): string {
  let rgb = rgbOf(colour);
  while (contrastToWhite(rgb.map(Math.round) as Rgb) < contrast) rgb = rgb.map((part) => part * 0.97) as Rgb;
  return hexOf(rgb);
}

/** The shades of a colour `#rrggbb`; of that of the service where there is none, or none that can be read. */
export function accentOf(colour: string | null): Accent {
  const plain = colour !== null && /^#[0-9a-f]{6}$/i.test(colour) ? colour.toLowerCase() : DEFAULT;
  return { plain, mark: darkened(plain, 3), text: darkened(plain, 4.5) };
}
