/** Texts of the cockpit. German is the source; English has the same keys, checked by type. */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../format/number.ts';
import { de } from './de.ts';
import { en } from './en.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof de };
  }
}

/** Makes the texts available to every screen; German is what shows where nothing else is chosen. */
export function startI18n(language: Language): void {
  i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'de',
    resources: { de: { translation: de }, en: { translation: en } },
    // React escapes what it renders.
    interpolation: { escapeValue: false },
  });
}

export function changeLanguage(language: Language): void {
  document.documentElement.lang = language;
  if (i18next.language !== language) i18next.changeLanguage(language);
}
