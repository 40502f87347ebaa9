import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contracts,server,sdk,cockpit,acceptance}/**/*.test.ts'],
    globalSetup: './server/test/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
