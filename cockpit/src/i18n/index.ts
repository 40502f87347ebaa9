/** Texts of the cockpit. German is the source; English has the same keys, checked by type. */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../format/number.ts';
import { de } from './de.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof de };
  }
}

/** German comes with the cockpit, whatever else is chosen; another language when it is. */
async function loadTexts(language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, 'translation')) return;
  const { en } = await import('./en.ts');
  i18next.addResourceBundle('en', 'translation', en);
}

/** Makes the texts available to every screen; German is what shows where nothing else is chosen. */
export function startI18n(): void {
  i18next.use(initReactI18next).init({
    lng: 'de',
    fallbackLng: 'de',
    resources: { de: { translation: de } },
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
