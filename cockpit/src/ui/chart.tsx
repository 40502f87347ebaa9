import { type MouseEvent, useId } from 'react';
import {
  Bar,
  BarChart,
  type BarShapeProps,
  CartesianGrid,
  Rectangle,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import type { Axis, AxisKind } from '../format/axis.ts';
import { useFormat } from '../format/use-format.ts';

/** One bar: a position on the axis, its height, and the words the reader gets on hover. */
export interface Bucket {
  key: string;
  /** Short label below the bar. */
  tick: string;
  /** Full name of the hour or day. */
  title: string;
  /** Height; for drawing only. Null draws nothing. */
  value: number | null;
  /** The exact value. */
  text: string;
  /** The bucket is not over yet and is drawn hatched. */
  running: boolean;
  details: { label: string; value: string }[];
}

interface ChartProps {
  label: string;
  buckets: Bucket[];
  /** What the bars measure; money in EUR. */
  kind: AxisKind;
  runningLabel: string;
  onSelect?: ((key: string) => void) | undefined;
}

function Hint({ bucket, runningLabel }: { bucket: Bucket; runningLabel: string }) {
  return (
    <div className="min-w-44 rounded-lg border bg-surface px-3 py-2 text-xs shadow-float">
      <p className="text-ink-3">
        {bucket.title}
        {bucket.running && ` · ${runningLabel}`}
      </p>
      <p className="mt-0.5 text-base font-semibold">{bucket.text}</p>
      {bucket.details.map((detail) => (
        <p key={detail.label} className="flex justify-between gap-6 text-ink-2">
          <span>{detail.label}</span>
          <span>{detail.value}</span>
        </p>
      ))}
    </div>
  );
}

function Hatch({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="4" height="4" fill="var(--color-accent-soft)" />
        <rect width="1.6" height="4" fill="var(--color-accent)" />
      </pattern>
    </defs>
  );
}

const axisText = { fill: 'var(--color-ink-3)', fontSize: 11 };
const line = 'var(--color-line)';
const margin = { top: 8, right: 0, bottom: 0, left: 0 };
/** Room for the labels of the axes, in pixels. */
const axis = { left: 64, bottom: 30 };

function Scales({ ticks, top }: Axis) {
  const labels = new Map(ticks.map(({ value, label }) => [value, label]));
  return (
    <>
      <CartesianGrid vertical={false} stroke={line} />
      <XAxis
        dataKey="tick"
        height={axis.bottom}
        interval="equidistantPreserveStart"
        tick={axisText}
        tickLine={false}
        axisLine={{ stroke: line }}
      />
      <YAxis
        width={axis.left}
        tick={axisText}
        tickLine={false}
        axisLine={false}
        domain={[0, top]}
        ticks={ticks.map(({ value }) => value)}
        interval={0}
        tickFormatter={(value: number) => labels.get(value) ?? ''}
      />
    </>
  );
}

/**
 * The bucket in whose column a point of the window lies; undefined beside the bars. Read from where the point is: a
 * finger moves nothing before it taps, so the chart itself would not know.
 */
function bucketUnder(figure: HTMLElement, buckets: Bucket[], x: number, y: number): Bucket | undefined {
  const box = figure.getBoundingClientRect();
  const share = (x - box.left - axis.left) / (box.width - axis.left);
  const within = share >= 0 && share < 1 && y >= box.top && y < box.bottom - axis.bottom;
  return within ? buckets[Math.floor(share * buckets.length)] : undefined;
}

/** Bars over time, drawn thin; the running bucket is hatched. Give the reader a table of the same values too. */
export function TimeChart({ label, buckets, kind, runningLabel, onSelect }: ChartProps) {
  const format = useFormat();
  const highest = Math.max(0, ...buckets.map(({ value }) => value ?? 0));
  const hatch = useId();
  const bucketAt = (index: unknown) => (index == null ? undefined : buckets[Number(index)]);
  const shape = (props: BarShapeProps) => (
    <Rectangle
      {...props}
      radius={[2, 2, 0, 0]}
      fill={bucketAt(props.index)?.running ? `url(#${hatch})` : 'var(--color-accent)'}
      fillOpacity={props.isActive ? 1 : 0.85}
    />
  );
  const select = (event: MouseEvent<HTMLElement>) => {
    const bucket = bucketUnder(event.currentTarget, buckets, event.clientX, event.clientY);
    if (bucket) onSelect?.(bucket.key);
  };
  const hint = ({ active, activeIndex }: { active: boolean; activeIndex: unknown }) => {
    const bucket = bucketAt(activeIndex);
    return active && bucket ? <Hint bucket={bucket} runningLabel={runningLabel} /> : null;
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the table beside the chart opens the same days by key.
    <figure
      aria-label={label}
      data-own-keys=""
      onClick={select}
      className={`h-56 ${onSelect ? 'cursor-pointer' : ''}`}
    >
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={buckets} margin={margin} barCategoryGap="22%">
          <Hatch id={hatch} />
          <Scales {...format.axis(highest, kind)} />
          <Tooltip isAnimationActive={false} cursor={{ fill: 'var(--color-sunken)' }} content={hint} />
          <Bar dataKey="value" isAnimationActive={false} maxBarSize={28} shape={shape} />
        </BarChart>
      </ResponsiveContainer>
    </figure>
  );
}
