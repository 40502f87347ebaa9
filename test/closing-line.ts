/** The last line of a run, for those who read it by program: `N passed, N failed, N skipped`. */
import type { Reporter, TestModule } from 'vitest/node';

/** What broke outside of a test, a hook or an import, fails as well. */
function errorsOf(module: TestModule): number {
  const suites = [...module.children.allSuites()];
  return [module, ...suites].filter((part) => part.errors().length > 0).length;
}

let line = '';
process.once('exit', () => line && console.log(line));

export const closingLine: Reporter = {
  onTestRunEnd(modules, unhandled) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const failed = modules.reduce(
      (sum, module) => sum + errorsOf(module),
      count('failed') + unhandled.length,
    );
    line = `${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped`;
  },
};
