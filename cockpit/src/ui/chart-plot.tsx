import {
  Bar,
  type BarShapeProps,
  CartesianGrid,
  ComposedChart,
  Line,
  Rectangle,
  ResponsiveContainer,
  XAxis,
  YAxis,
} from 'recharts';
import type { Axis } from '../format/axis.ts';
import type { ChartData } from './chart-data.ts';

const axisText = { fill: 'var(--color-ink-3)', fontSize: 11 };
const line = 'var(--color-line)';
const margin = { top: 8, right: 0, bottom: 0, left: 0 };

/** Where the columns stand in the picture, in pixels from its edges. */
export const plotEdges = (axis: Axis) => ({
  top: margin.top,
  right: margin.right,
  bottom: 30,
  // Room for the longest label.
  left: Math.max(40, 12 + 6.4 * Math.max(...axis.ticks.map(({ label }) => label.length))),
});

function Scales({ axis: { ticks, top }, left, bottom }: { axis: Axis; left: number; bottom: number }) {
  const labels = new Map(ticks.map(({ value, label }) => [value, label]));
  return (
    <>
      <CartesianGrid vertical={false} stroke={line} />
      <XAxis
        dataKey="tick"
        height={bottom}
        interval="equidistantPreserveStart"
        tick={axisText}
        tickLine={false}
        axisLine={{ stroke: line }}
      />
      <YAxis
        width={left}
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

const toPosition = (value: string | null | undefined) => (value == null ? null : Number(value));

interface PlotProps {
  data: ChartData;
  axis: Axis;
  fillOf: (schluessel: string, running?: boolean) => string;
  /** The series pointed at in the legend; the others step back. */
  lit: string | null;
}

/** The picture alone; who points at what is `ChartPointer`'s to know. */
export function Plot({ data: { buckets, series, previous }, axis, fillOf, lit }: PlotProps) {
  const rows = buckets.map(({ tick }, index) => ({
    tick,
    previous: toPosition(previous?.[index]),
    values: series.map(({ werte }) => toPosition(werte[index])),
  }));
  const edges = plotEdges(axis);
  const shapeOf = (schluessel: string) => (props: BarShapeProps) => (
    <Rectangle
      {...props}
      radius={series.length === 1 ? [2, 2, 0, 0] : 0}
      fill={fillOf(schluessel, buckets[props.index]?.running)}
      fillOpacity={lit === null || lit === schluessel ? 1 : 0.25}
    />
  );
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart data={rows} margin={margin} barCategoryGap="22%" accessibilityLayer={false}>
        <Scales axis={axis} left={edges.left} bottom={edges.bottom} />
        {series.map(({ schluessel }, at) => (
          <Bar
            key={schluessel}
            stackId="columns"
            dataKey={(row: (typeof rows)[number]) => row.values[at]}
            isAnimationActive={false}
            maxBarSize={28}
            shape={shapeOf(schluessel)}
          />
        ))}
        {previous && (
          <Line
            dataKey="previous"
            stroke="var(--color-ink-2)"
            strokeWidth={1.5}
            strokeDasharray="4 3"
            dot={false}
            activeDot={false}
            isAnimationActive={false}
          />
        )}
      </ComposedChart>
    </ResponsiveContainer>
  );
}
