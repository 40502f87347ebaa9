import type { ReactNode } from 'react';

interface ItemProps {
  title: ReactNode;
  /** Shown in full when one points at the title. */
  hint?: string | undefined;
  /** A word that qualifies the title. */
  badge?: ReactNode;
  /** The second line: what else there is to know. */
  children?: ReactNode;
  action?: ReactNode;
}

/** Few things of a kind, where a table would be too much: a title, a line about it, what one can do with it. */
export function ItemList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="flex flex-col">
      {children}
    </ul>
  );
}

export function Item({ title, hint, badge, children, action }: ItemProps) {
  return (
    <li className="flex items-center gap-3 border-b px-4 py-2.5 last:border-b-0">
      <div className="min-w-0 grow">
        <p className="flex min-h-5 flex-wrap items-center gap-x-2">
          <span className="max-w-full truncate font-medium" title={hint}>
            {title}
          </span>
          {badge}
        </p>
        {children && <p className="flex flex-wrap gap-x-3 text-xs text-ink-3">{children}</p>}
      </div>
      {action}
    </li>
  );
}
