/** The data directory of the run: initialised and migrated once, copied for each service that a test starts. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of a data directory whose server is stopped. */
    dataTemplate: string;
  }
}

/** Copies a data directory whose server is stopped into an empty one; owners and rights stay. */
export function copyData(from: string, to: string): void {
  const entries = readdirSync(from).map((name) => join(from, name));
  execFileSync('cp', ['-a', ...entries, to]);
}
