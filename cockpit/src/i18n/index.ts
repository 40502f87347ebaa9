/** Texts of the cockpit. German is the source; English has the same keys, checked by type. */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../format/number.ts';
import { first } from './de/first.ts';
import type { de } from './de.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof de };
  }
}

/**
 * What the overview says; the pages of figures, protection and setting up; those of billing, settings, operators and before the login.
 * In German the first part comes with the cockpit, whatever else is chosen.
 */
const parts = {
  first: { de: async () => first, en: async () => (await import('./en/first.ts')).first },
  later: {
    de: async () => (await import('./de/later.ts')).later,
    en: async () => (await import('./en/later.ts')).later,
  },
  office: {
    de: async () => (await import('./de/office.ts')).office,
    en: async () => (await import('./en/office.ts')).office,
  },
};

export type TextPart = keyof typeof parts;

const added = new Set<string>();

async function addTexts(part: TextPart, language: Language): Promise<void> {
  if (added.has(`${part} ${language}`)) return;
  i18next.addResourceBundle(language, 'translation', await parts[part][language](), true);
  added.add(`${part} ${language}`);
}

const spoken = (): Language => (i18next.language === 'en' ? 'en' : 'de');

/** What has been needed so far, in whatever language. */
const needed = new Set<TextPart>(['first']);

/** Loads texts of pages, unless they are there. Where it fails, the page fails, too. */
export async function loadTexts(...of: TextPart[]): Promise<void> {
  for (const part of of) needed.add(part);
  await Promise.all(of.map((part) => addTexts(part, spoken())));
}

/** Whatever page is shown by then, its texts are there. */
async function loadNeeded(language: Language): Promise<void> {
  for (const part of needed) await addTexts(part, language);
}

/** Makes the texts available to every screen; German is what shows where nothing else is chosen. */
export function startI18n(): void {
  i18next.use(initReactI18next).init({
    lng: 'de',
    fallbackLng: 'de',
    resources: { de: { translation: first } },
    // React escapes what it renders.
    interpolation: { escapeValue: false },
  });
}

let wanted: Language = 'de';

/** Resolves when the language is spoken; where its texts cannot be loaded, or another was chosen meanwhile, it is not. */
export async function changeLanguage(language: Language): Promise<void> {
  wanted = language;
  const isThere = await loadNeeded(language).then(
    () => true,
    () => false,
  );
  if (wanted !== language) return;
  if (isThere) await i18next.changeLanguage(language);
  document.documentElement.lang = i18next.language;
}
