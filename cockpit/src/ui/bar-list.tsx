import type { ReactNode } from 'react';

export interface BarRow {
  key: string;
  name: string;
  /** Length of the bar, 0 to 1. */
  share: number;
  /** The figure at the right; the bar is only its picture. */
  value: string;
  title?: string | undefined;
  /** A second figure; where there is little room, the name gets it. */
  note?: string | undefined;
}

interface BarListProps {
  rows: BarRow[];
  /** Turns the name of a row into a link, where there is a place to go. */
  link?: ((row: BarRow, className: string, children: ReactNode) => ReactNode) | undefined;
}

const nameClass = 'block truncate';

/** Names with bars and figures, largest first. */
export function BarList({ rows, link }: BarListProps) {
  return (
    <ol className="@container flex flex-col gap-1">
      {rows.map((row) => (
        <li key={row.key} className="relative flex min-h-7 items-center gap-3 px-2 text-sm">
          <span
            aria-hidden="true"
            className="absolute inset-y-0 left-0 rounded-sm bg-accent-soft"
            style={{ width: `max(2px, ${row.share * 100}%)` }}
          />
          <span className="relative min-w-0 grow" title={row.name}>
            {link ? (
              link(row, `${nameClass} py-0.5 hover:underline`, row.name)
            ) : (
              <span className={nameClass}>{row.name}</span>
            )}
          </span>
          {row.note && (
            <span className="relative shrink-0 text-xs text-ink-2 @max-sm:sr-only">{row.note}</span>
          )}
          <span className="relative shrink-0 font-medium" title={row.title}>
            {row.value}
          </span>
        </li>
      ))}
    </ol>
  );
}
