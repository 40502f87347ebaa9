import type { ReactNode } from 'react';
import { LoadError } from './load-error.tsx';
import { Skeleton } from './skeleton.tsx';

interface LoadedProps<T> {
  query: { data: T | undefined; error: unknown; refetch: () => void };
  /** Lines of the skeleton, and how high each is. */
  lines?: number;
  height?: string;
  children: (data: T) => ReactNode;
}

/** What is read from the service: until it is there a skeleton, or why it does not come. */
export function Loaded<T>({ query, lines = 4, height = 'h-9', children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <LoadError error={query.error} onRetry={query.refetch} />;
  return <Skeleton lines={lines} height={height} />;
}
