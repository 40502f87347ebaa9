import type { CSSProperties, ReactNode } from 'react';
import { useBrush } from './use-brush.ts';

interface ChartPointerProps {
  label: string;
  count: number;
  /** Where the columns stand, in pixels from the edges of the picture. */
  edges: { top: number; right: number; bottom: number; left: number };
  /** A place in words. */
  textAt: (index: number) => string;
  /** What is shown beside a place that is pointed at. */
  hintAt: (index: number) => ReactNode;
  onSelect?: ((index: number) => void) | undefined;
  onRange?: ((from: number, to: number) => void) | undefined;
}

const percent = (part: number) => `${part * 100}%`;

/** Beside its column, on the side with more room, and never past the edge. */
function hintStyle(index: number, count: number): CSSProperties {
  const place = percent((index + 0.5) / count);
  return index < count / 2
    ? { left: `min(calc(${place} + 14px), calc(100% - 14rem))` }
    : { right: `min(calc(100% - ${place} + 14px), calc(100% - 14rem))` };
}

/**
 * The columns of a chart as one control above its picture: hover and arrows read them one by one, a click or Enter
 * opens one, dragging or Shift and arrows choose several.
 */
export function ChartPointer({ label, count, edges, textAt, hintAt, onSelect, onRange }: ChartPointerProps) {
  const { at, span, handlers } = useBrush({ count, onSelect, onRange });
  const now = at ?? count - 1;
  const [first, last] = span ? [Math.min(span.from, span.to), Math.max(span.from, span.to)] : [at, at];
  const text = span ? `${textAt(first ?? now)} – ${textAt(last ?? now)}` : textAt(now);
  return (
    <div className="absolute" style={edges}>
      {first !== null && last !== null && (
        <div
          aria-hidden="true"
          className={`pointer-events-none absolute inset-y-0 ${span ? 'border-accent border-x bg-accent/15' : 'bg-ink/5'}`}
          style={{ left: percent(first / count), width: percent((last - first + 1) / count) }}
        />
      )}
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={count - 1}
        aria-valuenow={now}
        aria-valuetext={text}
        data-own-keys=""
        className={`absolute inset-0 touch-pan-y select-none ${onSelect || onRange ? 'cursor-pointer' : ''}`}
        {...handlers}
      />
      {at !== null && (
        <div className="pointer-events-none absolute top-0 z-10 w-56" style={hintStyle(at, count)}>
          {hintAt(at)}
        </div>
      )}
    </div>
  );
}
