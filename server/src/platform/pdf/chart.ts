/** Bars on an axis that begins at 0, drawn as vectors; listeners to the document hear them in a sentence. */
import { HAIRLINE, MUTED } from './colours.ts';
import type { Sheet, Style } from './sheet.ts';

interface Bar {
  /** Below the bar; '' for none. */
  label: string;
  /** In the smallest unit, e.g. cents; null where it is unknown. What is below 0 has no bar. */
  value: bigint | null;
}

interface Chart {
  bars: readonly Bar[];
  /** Says in words what is to be seen. */
  alt: string;
  /** A value of the axis as a label. */
  labelOf(value: bigint): string;
}

/** Height of the bars' area, of the labels below it and of the half label above. */
const PLOT = 118;
const BELOW = 16;
const ABOVE = 6;
/** As much room as a chart takes, with what is around it. */
export const CHART_HEIGHT = ABOVE + PLOT + BELOW + 8;
const LABEL: Style = { size: 7.5, color: MUTED };
/** Most steps of the axis. */
const STEPS = 4n;

/** The least step of 1, 2 or 5 times a power of ten with which the axis reaches a value above 0. */
export function stepOf(most: bigint): bigint {
  for (let power = 1n; ; power *= 10n) {
    const step = [1n, 2n, 5n].map((digit) => digit * power).find((candidate) => candidate * STEPS >= most);
    if (step !== undefined) return step;
  }
}

/** The values of the axis, from 0 to at least the largest one. */
export function axisOf(values: readonly (bigint | null)[]): bigint[] {
  const most = values.reduce<bigint>(
    (largest, value) => (value !== null && value > largest ? value : largest),
    0n,
  );
  if (most === 0n) return [0n];
  const step = stepOf(most);
  const count = Number((most + step - 1n) / step);
  return Array.from({ length: count + 1 }, (_, index) => BigInt(index) * step);
}

/** What part of the axis a value takes, in thousandths: drawn figures need no more. */
const share = (value: bigint, top: bigint) => (top === 0n ? 0 : Number((value * 100_000n) / top) / 100_000);

function drawAxis(
  sheet: Sheet,
  axis: readonly bigint[],
  labels: readonly string[],
  gutter: number,
  y: number,
): void {
  const top = axis.at(-1) as bigint;
  axis.forEach((value, index) => {
    const height = y + PLOT * (1 - share(value, top));
    sheet.pdf
      .rect(sheet.left + gutter, height - 0.2, sheet.width - gutter, 0.4)
      .fill(value === 0n ? MUTED : HAIRLINE);
    const label = sheet.block(labels[index] as string, gutter - 6, { ...LABEL, align: 'right' }, 1);
    sheet.draw(label, sheet.left, height - label.height / 2);
  });
}

function drawBars(sheet: Sheet, { bars }: Chart, top: bigint, gutter: number, y: number): void {
  const step = (sheet.width - gutter) / bars.length;
  const width = step * 0.68;
  bars.forEach(({ label, value }, index) => {
    const x = sheet.left + gutter + index * step + (step - width) / 2;
    // What is above 0 is to be seen, however small.
    const height = value !== null && value > 0n ? Math.max(0.8, PLOT * share(value, top)) : 0;
    if (height > 0) sheet.pdf.rect(x, y + PLOT - height, width, height).fill(sheet.accent.mark);
    if (label === '') return;
    const below = sheet.block(label, 40, LABEL, 1);
    const labelWidth = sheet.measure(LABEL)(label);
    sheet.draw(below, x + (width - labelWidth) / 2, y + PLOT + 4);
  });
}

/** Draws a chart at the place that the sheet has come to. */
export function barChart(sheet: Sheet, chart: Chart): void {
  sheet.keep(CHART_HEIGHT);
  const axis = axisOf(chart.bars.map(({ value }) => value));
  const labels = axis.map(chart.labelOf);
  const gutter = Math.max(...labels.map(sheet.measure(LABEL))) + 8;
  const y = sheet.y + ABOVE;
  const bbox: [number, number, number, number] = [sheet.left, sheet.y, sheet.right, sheet.y + CHART_HEIGHT];
  sheet.pdf
    .element(sheet.root, 'Figure', { alt: chart.alt, bbox, placement: 'Block' }, () => {
      drawAxis(sheet, axis, labels, gutter, y);
      drawBars(sheet, chart, axis.at(-1) as bigint, gutter, y);
    })
    .end();
  sheet.y += CHART_HEIGHT;
}
