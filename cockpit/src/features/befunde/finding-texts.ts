import { useTranslation } from 'react-i18next';
import type { Befund, Vorfall } from '../../api/types.ts';

/** Headline and sentence in the language of the reader; the service has written both. */
export function useFindingTexts() {
  const { i18n } = useTranslation();
  const isEnglish = i18n.language === 'en';
  return {
    titleOf: ({ titel, titel_en }: Pick<Befund | Vorfall, 'titel' | 'titel_en'>) =>
      isEnglish ? titel_en : titel,
    textOf: ({ text, text_en }: Pick<Befund, 'text' | 'text_en'>) => (isEnglish ? text_en : text),
  };
}
