/** What the demo remembers between starts, in `demo.json` in the data directory. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boolean, count, datetime, nullable, type Static, Type, text } from '#contracts';
import { compileCheck } from '#http/check/index.ts';

const DemoState = Type.Object({
  email: text(),
  passwort: text(),
  /** The API key of the demo's traffic; null until it is made. */
  schluessel: nullable(text()),
  seed: text(),
  /** The demo's first start. */
  beginn: datetime(),
  /** Everything the business stream holds before this instant has been accepted. */
  gesendet_bis: datetime(),
  /** How many events the first fill has brought so far. */
  eingespielt: count(),
  /** Whether the days before `beginn` are filled. */
  gefuellt: boolean(),
});

export type DemoState = Static<typeof DemoState>;

/** A reason not to run the demo, as a German sentence for the person who started it. */
export class DemoRefused extends Error {}

const check = compileCheck(DemoState);

export const stateFile = (dataDir: string): string => join(dataDir, 'demo.json');

/** The stored state; null when there is none. Throws `DemoRefused` when the file cannot be understood. */
export function readState(dataDir: string): DemoState | null {
  const file = stateFile(dataDir);
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const checked = check(JSON.parse(content), []);
    if (checked.ok) return checked.value as DemoState;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new DemoRefused(
    `Die Datei „${file}“ ist beschädigt. Löschen Sie das Datenverzeichnis, um die Demo neu anzulegen.`,
  );
}

/** Replaces the state in one step: a process killed meanwhile leaves the old one. Readable for its owner only. */
export function writeState(dataDir: string, state: DemoState): void {
  const file = stateFile(dataDir);
  writeFileSync(`${file}.neu`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.neu`, file);
}
