import { defineConfig } from 'tsdown';

const COMMON = { tsconfig: 'tsconfig.json', minify: true, report: false } as const;

export default defineConfig([
  {
    ...COMMON,
    entry: { index: 'src/index.ts', recordings: 'src/recordings.ts' },
    format: ['esm', 'cjs'],
    // For every runtime: what is bundled is taken in the form for all.
    platform: 'neutral',
    target: 'es2022',
    dts: true,
    fixedExtension: true,
    deps: { onlyBundle: ['@noble/hashes'] },
  },
  {
    ...COMMON,
    entry: { cli: 'src/cli.ts', replay: 'src/replay.ts' },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    dts: false,
    fixedExtension: true,
    deps: { onlyBundle: ['@noble/hashes', 'csv-parse'] },
    clean: false,
  },
]);
