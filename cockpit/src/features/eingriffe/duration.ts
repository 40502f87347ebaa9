/** Lengths of time as settings hold them: `15m`, `24h`, `7d`, or a part of the calendar. */
import { useTranslation } from 'react-i18next';

const calendar = ['stunde', 'tag', 'monat'] as const;
type Calendar = (typeof calendar)[number];

export type Duration = { count: number; unit: 'm' | 'h' | 'd' } | { word: Calendar };

/** A length of time; null where the text is none. */
export function readDuration(text: string): Duration | null {
  const word = calendar.find((name) => name === text);
  if (word) return { word };
  const [, count, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  return count && unit ? { count: Number(count), unit: unit as 'm' | 'h' | 'd' } : null;
}

/** A length of time in words. */
export function useDurationText(): (text: string) => string {
  const { t } = useTranslation();
  return (text) => {
    const duration = readDuration(text);
    if (duration === null) return text;
    if ('word' in duration) return t(`eingriffe.duration.${duration.word}`);
    return t(`eingriffe.duration.${duration.unit}`, { count: duration.count });
  };
}
