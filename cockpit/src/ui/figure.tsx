import type { ReactNode } from 'react';

const tones = { neutral: '', harm: 'text-harm', good: 'text-good' };

interface FigureProps {
  label: string;
  value: string;
  /** The exact value, where `value` is shortened. */
  title?: string | undefined;
  /** What stands below: the change, a share. */
  note?: ReactNode;
  tone?: keyof typeof tones;
}

/** As large as it fits: a figure that is cut is a wrong one. A digit is at most 0.62 of its size wide. */
const sizeFor = (value: string) => `min(var(--text-xl), ${100 / (0.62 * Math.max(value.length, 1))}cqi)`;

function FigureText({ label, value, title, note, tone = 'neutral' }: FigureProps) {
  return (
    <span className="@container block">
      <span className="block text-xs text-ink-3">{label}</span>
      <span
        title={title}
        style={{ fontSize: sizeFor(value) }}
        className={`mt-0.5 block leading-7 font-semibold tracking-tight whitespace-nowrap ${tones[tone]}`}
      >
        {value}
      </span>
      <span className="mt-0.5 block min-h-4 text-xs text-ink-3">{note}</span>
    </span>
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
      className={`flex min-w-0 flex-col items-stretch px-4 py-3 text-left hover:bg-sunken focus-visible:rounded-md focus-visible:-outline-offset-2 ${selected ? 'shadow-[inset_0_2px_0_var(--color-accent)]' : ''}`}
    >
      <FigureText {...figure} />
    </button>
  );
}

/** Figures side by side in one frame, divided by lines; below one another where there is no room for two. */
export function FigureRow({ children }: { children: ReactNode }) {
  return (
    <div className="figures @container">
      <div className="grid gap-px overflow-hidden rounded-lg border bg-line *:bg-surface @xs:grid-cols-2 @3xl:auto-cols-fr @3xl:grid-flow-col @3xl:grid-cols-none @xs:@max-3xl:[&>*:last-child:nth-child(odd)]:col-span-2">
        {children}
      </div>
    </div>
  );
}
