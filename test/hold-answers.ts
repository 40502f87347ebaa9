/** Runs with every file: a wrong or undeclared answer fails the test that got it, or the file; a spec uses what it is said to. */
import { afterAll, afterEach, beforeAll, type RunnerTestFile, type RunnerTask as Task } from 'vitest';
import { answered, takeFaults } from './answered.ts';
import { unprovenClaims } from './coverage.ts';

function requireNoFaults(): void {
  const found = takeFaults();
  if (found.length > 0) throw new Error(`answers against the contract:\n${found.join('\n')}`);
}

// Files of one worker share what they import.
beforeAll(() => answered.clear());
afterEach(requireNoFaults);
afterAll(requireNoFaults);

const testsOf = (task: Task): Task[] => ('tasks' in task ? task.tasks.flatMap(testsOf) : [task]);

let file: RunnerTestFile | undefined;
afterEach(({ task }) => {
  file = task.file;
});

/** A spec that ran as a whole has used every operation that the coverage table says it uses. */
afterAll(() => {
  if (!file || testsOf(file).some(({ result }) => result?.state !== 'pass')) return;
  const unproven = unprovenClaims(file.filepath, answered);
  if (unproven.length > 0)
    throw new Error(`claimed in the coverage table, but not used: ${unproven.join(', ')}`);
});
