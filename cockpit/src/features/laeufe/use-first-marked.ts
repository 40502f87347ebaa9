import { useEffect } from 'react';
import type { Pages } from '../../ui/more-rows.tsx';
import type { Marked } from './marked.ts';
import { isMarkedLine, type StepLine } from './steps.ts';

/** This many lines are looked through for the first marked one; further on one has to read oneself. */
const mostLines = 20_000;

/** The place of the first marked line, reading on until it is there; undefined where none is marked or it does not come. */
export function useFirstMarked(
  lines: StepLine[],
  { hasNextPage, isFetchingNextPage, fetchNextPage }: Pages,
  marked: Marked | undefined,
): number | undefined {
  const at = marked ? lines.findIndex((line) => isMarkedLine(line, marked)) : -1;
  const readOn = marked !== undefined && at < 0 && hasNextPage && lines.length < mostLines;
  useEffect(() => {
    if (readOn && !isFetchingNextPage) fetchNextPage();
  }, [readOn, isFetchingNextPage, fetchNextPage]);
  return at < 0 ? undefined : at;
}
