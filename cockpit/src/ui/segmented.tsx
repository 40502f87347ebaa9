import { roveFocus } from './roving-focus.ts';

interface SegmentedProps<T extends string> {
  label: string;
  value: T;
  options: { value: T; label: string }[];
  onChange: (value: T) => void;
}

const moveFocus = roveFocus('anyWay');

/** Two or three views of the same thing, side by side; arrow keys move the focus, Enter and the space bar choose. */
export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  return (
    <div
      role="radiogroup"
      aria-label={label}
      onKeyDown={moveFocus}
      className="inline-flex rounded border p-0.5"
    >
      {options.map((option) => {
        const isChosen = option.value === value;
        return (
          // biome-ignore lint/a11y/useSemanticElements: a radio input would choose as the focus moves.
          <button
            key={option.value}
            type="button"
            role="radio"
            aria-checked={isChosen}
            tabIndex={isChosen ? 0 : -1}
            onClick={() => !isChosen && onChange(option.value)}
            className="h-6 rounded-sm px-2 text-xs text-ink-2 hover:text-ink aria-checked:bg-sunken aria-checked:font-medium aria-checked:text-ink"
          >
            {option.label}
          </button>
        );
      })}
    </div>
  );
}
