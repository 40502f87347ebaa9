import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { closingLine } from './test/closing-line.ts';
import { testsByNeed } from './test/needs.ts';

const tests = testsByNeed();
const project = (name: string, include: string[], globalSetup: string[] = []) => ({
  extends: true as const,
  test: { name, include, globalSetup },
});

export default defineConfig({
  test: {
    projects: [
      project('unit', tests.nothing),
      project('database', tests.database, ['./test/global-setup.ts']),
      project('processes', tests.processes, ['./test/chromium.ts']),
    ],
    reporters: ['default', closingLine],
    // Modules are read once for all files of a worker; a file that mocks one takes copies of its own (`vi.resetModules`).
    isolate: false,
    setupFiles: ['./test/restore.ts', './test/hold-answers.ts'],
    // A busy build machine is ten times slower and can freeze a process for half a minute. What succeeds at the second try
    // is reported as such.
    testTimeout: 60_000,
    hookTimeout: 90_000,
    retry: process.env.CI ? 1 : 0,
    // Each file may hold a dozen connections to the one server of the run, which takes 60.
    // One more than processors, since many tests wait for a clock.
    maxWorkers: Math.min(4, availableParallelism() + 1),
  },
});
