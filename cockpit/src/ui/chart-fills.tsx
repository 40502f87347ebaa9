import type { ReactNode } from 'react';
import type { Series } from './chart-data.ts';

/** Tokens of `app.css`, written out: only what the source names gets into the page. The last is for the rest. */
const colours = [
  'var(--color-series-1)',
  'var(--color-series-2)',
  'var(--color-series-3)',
  'var(--color-series-4)',
  'var(--color-series-5)',
  'var(--color-series-6)',
  'var(--color-series-7)',
  'var(--color-series-8)',
];
const restColour = 'var(--color-series-rest)';

/** A drawing on each colour but the first and the rest, so that they are told apart without seeing colours. */
const textures = [
  '',
  'M-1 7 7 -1 M5 9 9 5',
  'M0 4H8',
  'M2 1V3 M6 5V7',
  'M-1 1 7 9 M5 -1 9 3',
  'M4 0V8',
  'M0 2H4 M4 6H8',
  'M0 4H8 M4 0V8',
];

/** How the series of a chart are filled; `id` is the chart's, unique in the page. */
export function fillsOf(id: string, series: Series[]) {
  const places = series.map(({ schluessel, rest }, index) => ({ schluessel, place: rest ? 8 : index }));
  const placeOf = new Map(places.map(({ schluessel, place }) => [schluessel, place]));
  const fillOf = (schluessel: string, running = false) =>
    `url(#${id}-${placeOf.get(schluessel) ?? 8}${running ? '-running' : ''})`;
  return { fillOf, patterns: <Patterns id={id} places={places.map(({ place }) => place)} /> };
}

function Pattern({ id, turned = false, children }: { id: string; turned?: boolean; children: ReactNode }) {
  const size = turned ? 4 : 8;
  return (
    <pattern
      id={id}
      width={size}
      height={size}
      patternUnits="userSpaceOnUse"
      {...(turned ? { patternTransform: 'rotate(45)' } : {})}
    >
      {children}
    </pattern>
  );
}

function Patterns({ id, places }: { id: string; places: number[] }) {
  return (
    <defs>
      {places.map((place) => {
        const colour = colours[place] ?? restColour;
        return (
          <g key={place}>
            <Pattern id={`${id}-${place}`}>
              <rect width="8" height="8" fill={colour} />
              <path
                d={textures[place] ?? ''}
                stroke="var(--color-surface)"
                strokeWidth="1.2"
                opacity="0.55"
              />
            </Pattern>
            <Pattern id={`${id}-${place}-running`} turned>
              <rect width="4" height="4" fill="var(--color-surface)" />
              <rect width="4" height="4" fill={colour} opacity="0.2" />
              <rect width="1.6" height="4" fill={colour} />
            </Pattern>
          </g>
        );
      })}
    </defs>
  );
}
