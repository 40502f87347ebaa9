/** Runs with every file: what it has spied on or faked is as it was for the next one of the same worker. */
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});
