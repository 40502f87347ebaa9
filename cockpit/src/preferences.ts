/**
 * What the reader chose for this browser: theme, language, single-key shortcuts. Kept in local storage under
 * one key, which `public/theme.js` reads too, before the first paint.
 */
import { useSyncExternalStore } from 'react';
import type { Language } from './format/number.ts';

export type Theme = 'system' | 'light' | 'dark';

export interface Preferences {
  theme: Theme;
  language: Language;
  shortcuts: boolean;
}

const storageKey = 'zaehlwerk';
const defaults: Preferences = { theme: 'system', language: 'de', shortcuts: true };

function read(): Preferences {
  try {
    const stored: Partial<Preferences> = JSON.parse(localStorage.getItem(storageKey) ?? '{}');
    return {
      theme: stored.theme === 'light' || stored.theme === 'dark' ? stored.theme : defaults.theme,
      language: stored.language === 'en' ? 'en' : defaults.language,
      shortcuts: stored.shortcuts !== false,
    };
  } catch {
    return defaults;
  }
}

let current = read();
const listeners = new Set<() => void>();

/** The preferences as they are now. */
export const preferences = () => current;

/** Changes some preferences and keeps them for the next visit, where the browser allows it. */
export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(storageKey, JSON.stringify(current));
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
