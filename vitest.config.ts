import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contracts,server,sdk,cockpit,acceptance}/**/*.test.ts'],
    globalSetup: './server/test/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A busy build machine can freeze a process for half a minute; a second failure is a real one.
    retry: process.env.CI ? 1 : 0,
  },
});
