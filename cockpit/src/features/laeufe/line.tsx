import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/use-format.ts';
import { RightIcon } from '../../ui/icons.tsx';
import { outcomeOf } from './outcome.ts';
import type { Step } from './steps.ts';

/** Columns of a line: number, model, bar, tokens, latency, cost. On a phone the bar is a line of its own. */
export const lineClass =
  'grid w-full grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 py-1.5 text-left md:grid-cols-[3.75rem_minmax(0,17rem)_minmax(0,1fr)_7.5rem_4.5rem_6.5rem]';

/** The bar of a call on the axis of the run: until the first characters light, then full. */
function Bar({ step }: { step: Step }) {
  const failed = outcomeOf(step.event.status) === 'failed';
  return (
    <span
      className={`absolute inset-y-[5px] min-w-[3px] overflow-hidden rounded-[2px] ${failed ? 'bg-harm' : 'bg-accent'}`}
      style={{ left: `${step.offset * 99}%`, width: `${step.width * 100}%` }}
    >
      {step.firstCharacters !== null && (
        <span className="block h-full bg-surface/55" style={{ width: `${step.firstCharacters * 100}%` }} />
      )}
    </span>
  );
}

/** This many places along the axis are told apart: a line that stands for a thousand calls draws no thousand bars. */
const places = 200;

/** The steps to draw: of several that begin in one place and end alike, the longest. */
function drawn(steps: Step[]): Step[] {
  const longest = new Map<string, Step>();
  for (const step of steps) {
    const key = `${Math.floor(step.offset * places)} ${outcomeOf(step.event.status) === 'failed'}`;
    if (step.width >= (longest.get(key)?.width ?? 0)) longest.set(key, step);
  }
  return [...longest.values()];
}

/** The calls on the axis of the run, with lines at its quarters. */
function Bars({ steps }: { steps: Step[] }) {
  const bars = useMemo(() => drawn(steps), [steps]);
  return (
    <span
      aria-hidden="true"
      className="relative h-5 bg-[linear-gradient(to_right,var(--color-line)_1px,transparent_1px)] bg-[length:25%_100%] max-md:order-last max-md:col-span-3 max-md:h-4"
    >
      {bars.map((step) => (
        <Bar key={step.event.ereignis_id} step={step} />
      ))}
    </span>
  );
}

interface LineProps {
  /** The calls the line stands for. */
  steps: Step[];
  number: string;
  /** Model and what is remarkable. */
  name: ReactNode;
  tokens: ReactNode;
  /** Milliseconds; null when unknown. */
  latency: number | null;
  cost: ReactNode;
  /** A finding is about it. */
  marked: boolean;
  open: boolean;
  onToggle: () => void;
  /** Id of what the line opens, where that is in one piece. */
  controls?: string;
  className: string;
}

/** A line of the timeline; pressed, it opens what is below it. */
export function Line({ steps, number, name, tokens, latency, cost, marked, open, ...rest }: LineProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={open ? rest.controls : undefined}
      onClick={rest.onToggle}
      className={`${lineClass} ${rest.className} ${marked ? 'bg-harm-soft/60 shadow-[inset_3px_0_0_var(--color-harm)]' : ''}`}
    >
      <span className="flex items-center gap-1 text-xs text-ink-3 max-md:min-w-9">
        <RightIcon className={`size-3 motion-safe:transition-transform ${open ? 'rotate-90' : ''}`} />
        {number}
        {marked && <span className="sr-only">{t('laeufe.marked')}</span>}
      </span>
      {/* On a phone the model gets the line, and what is remarkable stands below it. */}
      <span className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-1 *:max-w-full md:flex-nowrap">
        {name}
      </span>
      <Bars steps={steps} />
      <span className="text-right text-ink-2 max-md:hidden">{tokens}</span>
      <span className="text-right text-ink-2 max-md:hidden">{format.duration(latency)}</span>
      <span className="text-right font-medium">{cost}</span>
    </button>
  );
}
