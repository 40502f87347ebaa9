import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { closingLine } from './test/closing-line.ts';
import { keepInMemory } from './test/memory.ts';
import { Mixed } from './test/order.ts';
import { threadsOfBundle } from './test/service-bundle.ts';
import { depthOf, type Suite, suiteOf, testsOf } from './test/suites.ts';

keepInMemory();
const project = (name: string, include: string[], settings: object = {}) => ({
  extends: true as const,
  test: { name, include, ...settings },
});
/**
 * One more than processors, since many tests wait for a clock; each of them reads all modules, so that none is too many where nobody waits.
 * Each file may hold a dozen connections to the one server of the run, which takes 60.
 */
const workersOf = (suite: Suite) => Math.min(4, availableParallelism() + (suite === 'core' ? 0 : 1));
/**
 * What a worker has read stays with it, and young objects are many: the engine's own size has them moved about all the time. Left to
 * itself it looks through all that stays whenever as much again has come, and in threads beside, which the processors are not free for.
 */
const ENGINE_FLAGS = [
  '--max-semi-space-size=64',
  '--initial-old-space-size=512',
  '--heap-growing-percent=300',
  '--no-memory-reducer',
  '--single-threaded-gc',
];
/** Run with each file. */
const setupFiles = ['./test/restore.ts', './test/hold-answers.ts'];

export default defineConfig(({ mode }) => {
  const suite = suiteOf(mode);
  const tests = testsOf(suite);
  return {
    plugins: [threadsOfBundle],
    test: {
      projects: [
        project('unit', tests.nothing),
        // Apart, since a worker keeps to one: nothing of a document is about where others look whether there is one.
        project('pages', tests.document, {
          environment: 'happy-dom',
          setupFiles: [...setupFiles, './cockpit/test/setup.ts'],
        }),
        // One project, since a worker keeps to one: what waits for its processes runs beside what keeps the processors busy.
        project('services', [...tests.database, ...tests.processes], {
          globalSetup: './test/before.ts',
        }),
      ],
      sequence: { sequencer: Mixed },
      reporters: ['default', closingLine],
      env: { ZW_DEPTH: depthOf(mode) },
      // Modules are read once for all files of a worker; a file that mocks one takes copies of its own (`vi.resetModules`).
      isolate: false,
      setupFiles,
      // A busy build machine is ten times slower and can freeze a process for half a minute. What succeeds at the second try
      // is reported as such.
      // What hangs is ended by these; what is slow is not: no test asserts how long something takes, and none has a limit of its own.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 300_000 } },
      retry: process.env.CI ? 1 : 0,
      maxWorkers: workersOf(suite),
      execArgv: ENGINE_FLAGS,
    },
  };
});
