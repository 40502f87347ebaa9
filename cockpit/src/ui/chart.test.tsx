/** The chart by keys and its legend; mouse, finger and pixels are for a browser. */
import { expect, test, vi } from 'vitest';
import { screen, show } from '../../test/open.tsx';
import { TimeChart } from './chart.tsx';
import type { ChartData } from './chart-data.ts';

const days = Array.from({ length: 5 }, (_, at) => at + 1);
const data: ChartData = {
  kind: 'money',
  buckets: days.map((day) => ({
    key: `2026-11-0${day}`,
    tick: `${day}.`,
    title: `${day}. November`,
    running: day === 5,
  })),
  series: ['Review', 'Triage'].map((label, place) => ({
    schluessel: label,
    label,
    werte: days.map((day) => String(day * (place + 1))),
  })),
  previous: days.map(String),
};

const slider = () => screen.getByRole('slider', { name: /^Kosten je Tag/ });
const said = () => slider().getAttribute('aria-valuetext')?.replaceAll('\u00a0', ' ');

test('keys read day by day, open one and choose several', async () => {
  const [opened, chosen] = [vi.fn(), vi.fn()];
  const { user } = await show(
    <TimeChart
      {...data}
      label="Kosten je Tag"
      runningLabel="läuft noch"
      onSelect={opened}
      onRange={chosen}
    />,
  );
  slider().focus();
  await user.keyboard('{Home}{ArrowRight}');
  expect(said()).toMatch(/^2\. November: 6,00 €/);
  await user.keyboard('{Enter}');
  expect(opened).toHaveBeenLastCalledWith('2026-11-02');
  await user.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}{Enter}');
  expect(chosen).toHaveBeenLastCalledWith(1, 3);
});

test('the legend hides a series, and sums follow', async () => {
  const { user } = await show(<TimeChart {...data} label="Kosten je Tag" runningLabel="läuft noch" />);
  slider().focus();
  await user.keyboard('{Home}');
  expect(said()).toMatch(/^1\. November: 3,00 €/);
  const review = screen.getByRole('button', { name: 'Review' });
  await user.click(review);
  expect(review.getAttribute('aria-pressed')).toBe('false');
  slider().focus();
  await user.keyboard('{Home}');
  expect(said()).toMatch(/^1\. November: 2,00 €/);
});
