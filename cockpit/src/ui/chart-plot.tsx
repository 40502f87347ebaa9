import { scaleBand } from 'd3-scale';
import { line, stack } from 'd3-shape';
import { useCallback, useState } from 'react';
import type { Axis } from '../format/axis.ts';
import type { ChartData, Series } from './chart-data.ts';

const axisText = { fill: 'var(--color-ink-3)', fontSize: 11 };
const lineColour = 'var(--color-line)';
/** What a character of such a text takes up at most, in pixels. */
const characterWidth = 6.4;
const widestColumn = 28;
/** Between labels below the columns. */
const labelGap = 5;

const widestOf = (labels: string[]) => characterWidth * Math.max(0, ...labels.map(({ length }) => length));

/** Where the columns stand in the picture, in pixels from its edges. */
export const plotEdges = (axis: Axis) => ({
  top: 8,
  right: 0,
  bottom: 30,
  // Room for the longest label.
  left: Math.max(40, 12 + widestOf(axis.ticks.map(({ label }) => label))),
});

interface Size {
  width: number;
  height: number;
}

/** The size of an element in pixels as it is now; null before it is in the page. */
function useSize() {
  const [size, setSize] = useState<Size | null>(null);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => entry && setSize(entry.contentRect));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, size };
}

/** Where things stand, in pixels of the picture. */
interface Places {
  left: number;
  right: number;
  bottom: number;
  columnWidth: number;
  /** The middle of a column. */
  middleOf: (index: number) => number;
  /** How far down a value is. */
  heightOf: (value: number) => number;
}

function placesOf(size: Size, axis: Axis, count: number): Places {
  const edges = plotEdges(axis);
  const right = size.width - edges.right;
  const bottom = size.height - edges.bottom;
  const columns = scaleBand<number>()
    .domain(Array(count).keys())
    .range([edges.left, right])
    .paddingInner(0.44)
    .paddingOuter(0.22);
  const columnWidth = Math.min(Math.max(1, Math.round(columns.bandwidth())), widestColumn);
  return {
    left: edges.left,
    right,
    bottom,
    columnWidth,
    middleOf: (index) => (columns(index) ?? 0) + columns.bandwidth() / 2,
    heightOf: (value) => bottom - (value / axis.top) * (bottom - edges.top),
  };
}

/** Every how manieth label is shown so that none touches the next one or stands out of the picture. */
function labelStep(labels: string[], { left, right, middleOf }: Places): number {
  const width = widestOf(labels);
  const each = (right - left) / labels.length;
  const fits = (step: number) =>
    step * each >= width + labelGap &&
    middleOf(Math.floor((labels.length - 1) / step) * step) + width / 2 <= right;
  let step = 1;
  while (step < labels.length && !fits(step)) step++;
  return step;
}

/** Lines across at the labels on the left, labels below the columns. */
function Scales({ axis, labels, places }: { axis: Axis; labels: string[]; places: Places }) {
  const { left, right, bottom, middleOf, heightOf } = places;
  const step = labelStep(labels, places);
  return (
    <>
      <g data-part="grid" stroke={lineColour}>
        {axis.ticks.map(({ value }) => (
          <line key={value} x1={left} x2={right} y1={heightOf(value)} y2={heightOf(value)} />
        ))}
      </g>
      <g textAnchor="end" {...axisText}>
        {axis.ticks.map(({ value, label }) => (
          <text key={value} x={left - 8} y={heightOf(value)} dy="0.355em">
            {label}
          </text>
        ))}
      </g>
      <g data-part="labels" textAnchor="middle" {...axisText}>
        {labels.map(
          (label, index) =>
            index % step === 0 && (
              // biome-ignore lint/suspicious/noArrayIndexKey: a label is its place; hours of the same name occur twice a year
              <text key={index} x={middleOf(index)} y={bottom + 8} dy="0.71em">
                {label}
              </text>
            ),
        )}
      </g>
    </>
  );
}

const toPosition = (value: string | null | undefined) => (value == null ? null : Number(value));

interface ColumnsProps {
  series: Series[];
  places: Places;
  count: number;
  fillOf: (schluessel: string, index: number) => string;
  lit: string | null;
}

/** Each series on top of the one before; what is nothing is not drawn. */
function Columns({ series, places, count, fillOf, lit }: ColumnsProps) {
  const { middleOf, heightOf, columnWidth: width } = places;
  const rows = Array.from({ length: count }, (_, index) =>
    series.map(({ werte }) => toPosition(werte[index])),
  );
  const stacked = stack<(number | null)[], number>()
    .keys(series.keys())
    .value((row, at) => row[at] ?? 0)(rows);
  const round = series.length === 1 ? 2 : 0;
  const pathOf = (index: number, low: number, high: number) => {
    const x = Math.round(middleOf(index) - width / 2);
    const [bottom, top] = [heightOf(low), heightOf(high)];
    const r = Math.min(round, bottom - top);
    return `M${x},${bottom}V${top + r}q0,${-r} ${r},${-r}h${width - 2 * r}q${r},0 ${r},${r}V${bottom}Z`;
  };
  return series.map(({ schluessel }, at) => (
    <g key={schluessel} fillOpacity={lit === null || lit === schluessel ? 1 : 0.25}>
      {stacked[at]?.map(
        ([low, high], index) =>
          high > low && (
            <path
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
              key={index}
              data-part="column"
              d={pathOf(index, low, high)}
              fill={fillOf(schluessel, index)}
            />
          ),
      )}
    </g>
  ));
}

/** The period before, broken off where nothing is known of it. */
function PreviousLine({ values, places }: { values: (string | null)[]; places: Places }) {
  const draw = line<number | null>()
    .defined((value) => value !== null)
    .x((_, index) => places.middleOf(index))
    .y((value) => places.heightOf(value ?? 0));
  return (
    <path
      data-part="previous"
      d={draw(values.map(toPosition)) ?? ''}
      fill="none"
      stroke="var(--color-ink-2)"
      strokeWidth={1.5}
      strokeDasharray="4 3"
    />
  );
}

interface PlotProps {
  data: ChartData;
  axis: Axis;
  fillOf: (schluessel: string, running?: boolean) => string;
  /** The series pointed at in the legend; the others step back. */
  lit: string | null;
}

/** The picture alone; who points at what, and hears it, is `ChartPointer`'s to know. */
export function Plot({ data: { buckets, series, previous }, axis, fillOf, lit }: PlotProps) {
  const { ref, size } = useSize();
  const places = size && placesOf(size, axis, buckets.length);
  return (
    <div ref={ref} data-part="picture" className="size-full overflow-hidden">
      {size && places && (
        <svg aria-hidden="true" className="block" width={size.width} height={size.height}>
          <Scales axis={axis} labels={buckets.map(({ tick }) => tick)} places={places} />
          <Columns
            series={series}
            places={places}
            count={buckets.length}
            fillOf={(schluessel, index) => fillOf(schluessel, buckets[index]?.running)}
            lit={lit}
          />
          {previous && <PreviousLine values={previous} places={places} />}
        </svg>
      )}
    </div>
  );
}
