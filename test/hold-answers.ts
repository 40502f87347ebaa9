/** Runs with every file: a wrong or undeclared answer fails the test that got it, or the file. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { answered, takeFaults } from './answered.ts';

function requireNoFaults(): void {
  const found = takeFaults();
  if (found.length > 0) throw new Error(`answers against the contract:\n${found.join('\n')}`);
}

// Files of one worker share what they import.
beforeAll(() => answered.clear());
afterEach(requireNoFaults);
afterAll(requireNoFaults);
