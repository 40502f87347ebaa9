import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contracts,server,sdk,cockpit,acceptance,test,demo}/**/*.test.ts'],
    globalSetup: './test/global-setup.ts',
    // A busy build machine is ten times slower and can freeze a process for half a minute. What succeeds at the second try
    // is reported as such.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    retry: process.env.CI ? 1 : 0,
    // Each file may hold a dozen connections to the one server of the run, which takes 60.
    maxWorkers: Math.min(4, Math.max(1, availableParallelism() - 1)),
  },
});
