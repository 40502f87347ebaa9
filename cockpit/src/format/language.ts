/** Which of our languages a reader reads. */
import type { Language } from './number.ts';

/** The first of the languages a browser prefers (`navigator.languages`) that is one of ours; German when none is. */
export function preferredLanguage(languages: readonly string[]): Language {
  for (const language of languages) {
    const [name] = language.toLowerCase().split('-', 1);
    if (name === 'de' || name === 'en') return name;
  }
  return 'de';
}
