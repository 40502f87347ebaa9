import type { ReactNode } from 'react';

interface FigureProps {
  label: string;
  value: string;
  /** The exact value, where `value` is shortened. */
  title?: string | undefined;
  /** What stands below: the change, a share. */
  note?: ReactNode;
  tone?: 'neutral' | 'harm';
}

function FigureText({ label, value, title, note, tone = 'neutral' }: FigureProps) {
  return (
    <>
      <span className="block text-xs text-ink-3">{label}</span>
      <span
        title={title}
        className={`mt-0.5 block truncate text-xl font-semibold tracking-tight ${tone === 'harm' ? 'text-harm' : ''}`}
      >
        {value}
      </span>
      <span className="mt-0.5 block min-h-4 text-xs text-ink-3 md:truncate">{note}</span>
    </>
  );
}

/** A single number with its name and what explains it. */
export function Figure(props: FigureProps) {
  return (
    <div className="min-w-0 px-4 py-3">
      <FigureText {...props} />
    </div>
  );
}

interface FigureButtonProps extends FigureProps {
  selected: boolean;
  onSelect: () => void;
}

/** A figure that, pressed, becomes what the chart below shows. */
export function FigureButton({ selected, onSelect, ...figure }: FigureButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={selected}
      onClick={onSelect}
      className={`flex min-w-0 flex-col items-stretch px-4 py-3 text-left hover:bg-sunken ${selected ? 'shadow-[inset_0_2px_0_var(--color-accent)]' : ''}`}
    >
      <FigureText {...figure} />
    </button>
  );
}

/** Figures side by side in one frame, divided by lines. */
export function FigureRow({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line *:bg-surface md:grid-cols-[repeat(auto-fit,minmax(0,1fr))] md:grid-flow-col max-md:[&>*:last-child:nth-child(odd)]:col-span-2">
      {children}
    </div>
  );
}
