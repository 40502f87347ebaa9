import type { ReactNode } from 'react';

interface PageProps {
  title: string;
  /** Above the title: where this page belongs. */
  above?: ReactNode;
  /** Beside the title: a badge. */
  beside?: ReactNode;
  /** At the right: what the page can do. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page: its title in the window, its heading, its actions. */
export function Page({ title, above, beside, actions, children }: PageProps) {
  return (
    <>
      <title>{`${title} – Zählwerk`}</title>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          {above}
          <div className="flex min-h-8 items-center gap-2">
            <h1 className="line-clamp-2 min-w-0 text-lg [overflow-wrap:anywhere]" title={title}>
              {title}
            </h1>
            {beside}
          </div>
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      <div className="flex flex-col gap-4">{children}</div>
    </>
  );
}
