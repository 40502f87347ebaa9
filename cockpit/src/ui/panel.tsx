import type { ReactNode } from 'react';
import { useId } from 'react';

const frame = 'min-w-0 rounded-lg border bg-surface';

interface PanelProps {
  title: string;
  /** Stands in place of the title, which then only names the region. */
  heading?: ReactNode;
  /** What stands at the right of the title. */
  aside?: ReactNode;
  /** Without inner margin, for tables that reach the edge. */
  flush?: boolean;
  children: ReactNode;
}

/** A titled region of a page. */
export function Panel({ title, heading, aside, flush = false, children }: PanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={frame}>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 pt-1.5">
        <h2 id={id} className={heading ? 'sr-only' : 'truncate text-sm'}>
          {title}
        </h2>
        {heading}
        {aside}
      </div>
      <div className={flush ? '' : 'px-4 pt-1 pb-4'}>{children}</div>
    </section>
  );
}

/** The same frame around what is the page itself and needs no title of its own. */
export function Frame({ children }: { children: ReactNode }) {
  return <div className={frame}>{children}</div>;
}
