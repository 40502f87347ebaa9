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

let hasLater = false;

async function addLater(): Promise<void> {
  if (hasLater) return;
  const { later } = await import('./de/later.ts');
  i18next.addResourceBundle('de', 'translation', later, true);
  hasLater = true;
}

/** Loads the texts of pages that are not the overview, unless they are there. Where it fails, the page fails, too. */
export async function loadLaterTexts(): Promise<void> {
  if (i18next.language === 'de') await addLater();
}

/** What the overview says in German comes with the cockpit, whatever else is chosen; another language as a whole when it is. */
async function loadTexts(language: Language): Promise<void> {
  // Whatever page is shown now, its texts are there.
  if (language === 'de' && i18next.language !== 'de') await addLater();
  if (i18next.hasResourceBundle(language, 'translation')) return;
  const { en } = await import('./en.ts');
  i18next.addResourceBundle('en', 'translation', en);
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
  await loadTexts(language).catch(() => undefined);
  if (wanted !== language) return;
  if (i18next.hasResourceBundle(language, 'translation')) await i18next.changeLanguage(language);
  document.documentElement.lang = i18next.language;
}
