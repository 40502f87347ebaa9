/**
 * What the reader chose for this browser: theme, language, single-key shortcuts, live figures. Kept in local storage under
 * one key, which `public/theme.js` reads too, before the first paint. Until a language is chosen it is the browser's.
 */
import { useSyncExternalStore } from 'react';
import { preferredLanguage } from './format/language.ts';
import type { Language } from './format/number.ts';

export type Theme = 'system' | 'light' | 'dark';

export interface Preferences {
  theme: Theme;
  language: Language;
  shortcuts: boolean;
  /** Whether figures that may still change are asked for again and again. */
  live: boolean;
}

const storageKey = 'zaehlwerk';

/** What was chosen and is understood. */
function readChosen(): Partial<Preferences> {
  try {
    const { theme, language, shortcuts, live } = JSON.parse(localStorage.getItem(storageKey) ?? '{}');
    return {
      ...(theme === 'light' || theme === 'dark' ? { theme } : {}),
      ...(language === 'de' || language === 'en' ? { language } : {}),
      ...(shortcuts === false ? { shortcuts } : {}),
      ...(live === false ? { live } : {}),
    };
  } catch {
    return {};
  }
}

let chosen = readChosen();

const withChosen = (): Preferences => ({
  theme: 'system',
  language: preferredLanguage(navigator.languages),
  shortcuts: true,
  live: true,
  ...chosen,
});

let current = withChosen();
const listeners = new Set<() => void>();

/** The preferences as they are now. */
export const preferences = () => current;

/** A language of null is that of the browser again. */
type PreferencesChange = Partial<Omit<Preferences, 'language'>> & { language?: Language | null };

/** Changes some preferences and keeps them for the next visit, where the browser allows it. */
export function setPreferences({ language, ...change }: PreferencesChange): void {
  const { language: before, ...others } = chosen;
  const next = language === undefined ? before : language;
  chosen = { ...others, ...change, ...(next ? { language: next } : {}) };
  current = withChosen();
  try {
    localStorage.setItem(storageKey, JSON.stringify(chosen));
  } catch {
    // Without storage the choice holds until the page is closed.
  }
  for (const listener of listeners) listener();
}

/** Calls back after every change; returns the way to stop. */
export function onPreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const usePreferences = (): Preferences => useSyncExternalStore(onPreferences, preferences);
