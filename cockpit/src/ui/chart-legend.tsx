import { useTranslation } from 'react-i18next';
import type { Series } from './chart-data.ts';

/** The line of the period before, hidden and shown like a series. */
export const previousKey = ' vorher';

interface LegendProps {
  series: Series[];
  hasPrevious: boolean;
  hidden: ReadonlySet<string>;
  fillOf: (schluessel: string) => string;
  onToggle: (schluessel: string) => void;
  /** Which one is pointed at; null for none. */
  onLight: (schluessel: string | null) => void;
}

/** The small picture of a series, as its columns are filled. */
export function Swatch({ fill }: { fill: string }) {
  return (
    <svg aria-hidden="true" className="size-3 shrink-0 rounded-[2px]" viewBox="0 0 12 12">
      <rect width="12" height="12" fill={fill} />
    </svg>
  );
}

/** The small picture of the line of the period before. */
export function PreviousSwatch() {
  return <span aria-hidden="true" className="w-3 shrink-0 border-t-2 border-ink-2 border-dashed" />;
}

/** What the colours mean; pressed, an entry hides its series or shows it again. */
export function Legend({ series, hasPrevious, hidden, fillOf, onToggle, onLight }: LegendProps) {
  const { t } = useTranslation();
  const entries = series.map(({ schluessel, label }) => ({
    schluessel,
    label,
    picture: <Swatch fill={fillOf(schluessel)} />,
  }));
  const before = { schluessel: previousKey, label: t('chart.previous'), picture: <PreviousSwatch /> };
  return (
    <ul aria-label={t('chart.legend')} className="mb-2 flex flex-wrap gap-x-1 text-xs">
      {[...entries, ...(hasPrevious ? [before] : [])].map(({ schluessel, label, picture }) => (
        <li key={schluessel} className="min-w-0">
          <button
            type="button"
            aria-pressed={!hidden.has(schluessel)}
            title={t('chart.toggle', { name: label })}
            onClick={() => onToggle(schluessel)}
            onPointerEnter={() => onLight(schluessel)}
            onPointerLeave={() => onLight(null)}
            onFocus={() => onLight(schluessel)}
            onBlur={() => onLight(null)}
            className="flex min-h-6 max-w-full items-center gap-1.5 rounded-sm px-1.5 text-ink-2 hover:bg-sunken aria-[pressed=false]:text-ink-3 aria-[pressed=false]:line-through"
          >
            {picture}
            <span className="truncate">{label}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
