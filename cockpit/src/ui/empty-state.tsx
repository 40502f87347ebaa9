import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  children?: ReactNode;
  /** The one next step. */
  action?: ReactNode;
}

/** What a page says instead of drawing zeros: why there is nothing, and the one next step. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-start gap-3 rounded-lg border border-dashed border-edge/60 px-6 py-10 sm:items-center sm:text-center">
      <h2 className="text-lg">{title}</h2>
      {children && <div className="max-w-prose text-ink-2">{children}</div>}
      {action}
    </div>
  );
}
