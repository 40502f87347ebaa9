/** The official libraries of Python, in their two newest majors, as programs of the matrix: each a process that is asked line by line. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { findPython } from '../clients/python/test-interpreter.ts';
import type { Program } from '../clients/typescript/matrix/libraries.ts';

const MATRIX = join(import.meta.dirname, '../clients/python/tests/matrix/run.py');
const CLIENTS = join(import.meta.dirname, 'python-clients.py');
const KEPT = process.env.ZW_PYTHON_MATRIX ?? join(homedir(), '.cache', 'zaehlwerk-python-matrix');

/** By the environment that has them. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  'openai-2': ['openai', 'responses'],
  'openai-3': ['openai', 'responses'],
  'anthropic-1': ['anthropic'],
  'anthropic-2': ['anthropic'],
  'google-genai-2': ['genai'],
  'google-genai-3': ['genai'],
};

/** A library of Python, and how a program with it is begun. */
export interface PythonLibrary {
  name: string;
  start(url: string): Program;
}

const running = new Set<ChildProcess>();

/** Ends the programs that were begun. */
export async function endPrograms(): Promise<void> {
  for (const child of running) {
    const ended = once(child, 'exit');
    child.stdin?.end();
    child.kill();
    await ended;
  }
  running.clear();
}

interface Said {
  piece?: unknown;
  error?: string;
  end?: true;
}

function begin(python: string, library: string, url: string): Program {
  const child = spawn(python, [CLIENTS, library, url], { stdio: ['pipe', 'pipe', 'inherit'] });
  running.add(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  async function* ask(what: 'json' | 'stream' | 'tool'): AsyncGenerator<unknown> {
    child.stdin.write(`${what}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${library} ended`);
      const { piece, error, end } = JSON.parse(value) as Said;
      if (error !== undefined) throw new Error(error);
      if (end) return;
      yield piece;
    }
  }
  const whole = async (what: 'json' | 'tool') => {
    const parts: unknown[] = [];
    for await (const part of ask(what)) parts.push(part);
    return parts[0];
  };
  return { json: () => whole('json'), stream: async () => ask('stream'), tool: () => whole('tool') };
}

/** All that can be had here: none without Python or a registry, which only a build machine must have. */
export async function pythonLibraries(): Promise<PythonLibrary[]> {
  const found: PythonLibrary[] = [];
  for (const [name, libraries] of Object.entries(LIBRARIES)) {
    try {
      const made = [MATRIX, '--cache', KEPT, '--python', name];
      const { stdout } = await promisify(execFile)(findPython() ?? 'python3', made);
      const begun = (library: string) => (url: string) => begin(stdout.trim(), library, url);
      for (const library of libraries)
        found.push({ name: `Python ${name}, ${library}`, start: begun(library) });
    } catch (error) {
      if (process.env.CI) throw error;
      console.warn(`Python's ${name} is left out, it is not installed: ${String(error).slice(0, 300)}`);
    }
  }
  return found;
}
