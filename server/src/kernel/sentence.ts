/** What the service says to people, in each of its languages. */

export type Language = 'de' | 'en';

/** A sentence, or a clause of one, in every language: one without the other does not compile. */
export type Sentence = Readonly<Record<Language, string>>;

/** A range of `Accept-Language` and how much it is wanted; 0 means not at all. */
function rangeOf(text: string): { language: string; weight: number } {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = Number(/^q=([\d.]+)$/.exec(parameters[0] ?? 'q=1')?.[1] ?? 1);
  return { language: range.split('-', 1)[0] as string, weight: Number.isFinite(weight) ? weight : 0 };
}

/** The language that an `Accept-Language` asks for: English where it is wanted more than German, or named before it; else German. */
export function languageOf(acceptLanguage: string | undefined): Language {
  let [language, most]: [Language, number] = ['de', 0];
  for (const range of (acceptLanguage ?? '').slice(0, 1_000).split(',').map(rangeOf)) {
    const isOurs = range.language === 'de' || range.language === 'en';
    if (isOurs && range.weight > most) [language, most] = [range.language as Language, range.weight];
  }
  return language;
}
