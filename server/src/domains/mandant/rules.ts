/** Pure decisions about the settings of a Mandant. */
import { isDeepStrictEqual } from 'node:util';
import type { Sentence } from '#kernel/sentence.ts';
import { type Adressen, KANAELE, type Kanaele } from './alarmkanaele.ts';

type Texts = Record<string, string | null | undefined>;

/** Fields as they are wished: undefined leaves a field as it is, null clears it, and so does a blank text. */
export const given = <T extends Texts>(input: T): { [K in keyof T]: string | null | undefined } =>
  Object.fromEntries(
    Object.entries(input).map(([name, text]) => [
      name,
      typeof text === 'string' ? text.trim() || null : text,
    ]),
  ) as { [K in keyof T]: string | null | undefined };

export const colourProblem = (text: string): Sentence | null =>
  /^#[0-9a-f]{6}$/i.test(text)
    ? null
    : { de: 'muss die Form #rrggbb haben', en: 'must have the form #rrggbb' };

export type ImageType = 'image/png' | 'image/jpeg';

const BEGINNINGS: [ImageType, Buffer][] = [
  ['image/png', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['image/jpeg', Buffer.from('ffd8ff', 'hex')],
];

/** The type the first bytes tell, whatever a server says it is; null for everything but PNG and JPEG. */
export const imageTypeOf = (bytes: Buffer): ImageType | null =>
  BEGINNINGS.find(([, beginning]) => bytes.subarray(0, beginning.length).equals(beginning))?.[0] ?? null;

type Wish = { email?: string[] | undefined } & { [K in keyof Adressen]?: string | null | undefined };

/** The channels after a wish: undefined leaves one as it is, null removes it. */
export function mergeKanaele(before: Kanaele, wish: Wish): Kanaele {
  const adressen: Adressen = {};
  for (const kanal of KANAELE) {
    const address = wish[kanal] === undefined ? before.adressen[kanal] : wish[kanal];
    if (address) adressen[kanal] = address;
  }
  return { email: wish.email ?? before.email, adressen };
}

/** The names of the channels that lead elsewhere than before. */
export const changedKanaele = (before: Kanaele, after: Kanaele): (keyof Adressen | 'email')[] => [
  ...(isDeepStrictEqual(before.email, after.email) ? [] : (['email'] as const)),
  ...KANAELE.filter((kanal) => before.adressen[kanal] !== after.adressen[kanal]),
];
