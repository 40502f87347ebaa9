import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useShowLine } from './use-show-line.ts';

interface LongListProps<Item> {
  items: Item[];
  keyOf: (item: Item) => string;
  /** About how high a line is, in pixels; how high it is shows once it is there. */
  estimate: number;
  id?: string;
  /** Place of a line that is scrolled to, once. */
  showAt?: number | undefined;
  className?: string;
  /** The content of a line. */
  children: (item: Item) => ReactNode;
}

/** Lines beyond the window that are there already, for scrolling and tabbing on. */
const overscan = 12;

/** How far down the page something begins; follows what is above it. */
function useOffset() {
  const list = useRef<HTMLOListElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (list.current) setOffset(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  return { list, offset };
}

/**
 * An ordered list of which only the lines near the window are in the page, however long it is. Each says which one of
 * how many it is. Finding in the page finds only what is there.
 */
export function LongList<Item>({
  items,
  keyOf,
  estimate,
  id,
  showAt,
  className = '',
  children,
}: LongListProps<Item>) {
  const { list, offset } = useOffset();
  const [focused, setFocused] = useState<number | null>(null);
  // The line with the focus stays, so that scrolling does not lose it.
  const rangeExtractor = (range: Range) => {
    const near = defaultRangeExtractor(range);
    const isFar = focused !== null && focused < items.length && !near.includes(focused);
    return isFar ? [...near, focused].sort((a, b) => a - b) : near;
  };
  const lines = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => estimate,
    getItemKey: (index) => keyOf(items[index] as Item),
    overscan,
    rangeExtractor,
    scrollMargin: offset,
  });
  useShowLine(list, showAt, (index) => lines.scrollToIndex(index, { align: 'center' }));
  return (
    <ol ref={list} id={id} className={`relative ${className}`} style={{ height: lines.getTotalSize() }}>
      {lines.getVirtualItems().map(({ key, index, start }) => (
        <li
          key={key}
          ref={lines.measureElement}
          data-index={index}
          onFocus={() => setFocused(index)}
          onBlur={() => setFocused(null)}
          aria-setsize={items.length}
          aria-posinset={index + 1}
          className={`absolute inset-x-0 ${index + 1 < items.length ? 'border-b' : ''}`}
          style={{ top: start - offset }}
        >
          {children(items[index] as Item)}
        </li>
      ))}
    </ol>
  );
}
