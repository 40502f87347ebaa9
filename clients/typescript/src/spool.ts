/**
 * What could not be delivered waits on disk, where any process of the same sender finds it: a batch a file, an event a line, the name of
 * the file the batch's `Idempotency-Key`. A process that works on a file holds it by its name (`<key>.<host>-<pid>.held`); a name is
 * taken by renaming, which one process alone can do. Files of processes that are gone are taken over.
 */
import { builtin } from './builtin.ts';
import { isHolderGone, me } from './spool-holder.ts';

/** A batch that was on disk and is held by this process. */
export interface Segment {
  key: string;
  /** Events as JSON. */
  lines: string[];
  /** It is delivered. */
  remove(): void;
}

interface OpenSegment {
  key: string;
  path: string;
  descriptor: number;
  lines: number;
  since: number;
}

const FREE = '.jsonl';
const HELD = '.held';
/** After this time a file is let go even if there is room in it: what is held for longer counts as left behind. */
const OPEN_MS = 60_000;

const isEvent = (line: string): boolean => {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
};

/** Files of one sender in a directory. Nothing here throws: what a disk refuses is answered with false or null. */
export class Spool {
  readonly #fs: typeof import('node:fs');
  readonly #directory: string;
  readonly #maxBytes: number;
  readonly #batchSize: number;
  #open: OpenSegment | null = null;
  #isOurs: boolean | undefined;

  private constructor(fs: typeof import('node:fs'), directory: string, maxBytes: number, batchSize: number) {
    this.#fs = fs;
    this.#directory = directory;
    this.#maxBytes = maxBytes;
    this.#batchSize = batchSize;
  }

  /** Null where there is no disk. The directory is made with the first event that has to wait. */
  static in(directory: string, maxBytes: number, batchSize: number): Spool | null {
    const fs = builtin('node:fs');
    return fs === undefined ? null : new Spool(fs, directory, maxBytes, batchSize);
  }

  /** Writes a batch that was tried under this key; false where there is no room. */
  write(key: string, lines: string[]): boolean {
    try {
      if (!this.#hasRoom(lines)) return false;
      const path = this.#path(`${key}.${me()}${HELD}`);
      const descriptor = this.#fs.openSync(path, 'wx', 0o600);
      this.#fs.writeSync(descriptor, `${lines.join('\n')}\n`);
      this.#letGo({ key, path, descriptor, lines: lines.length, since: 0 });
      return true;
    } catch {
      return false;
    }
  }

  /** Writes an event behind the others of a batch that was not tried yet; false where there is no room. */
  append(line: string): boolean {
    try {
      this.#open ??= this.#begin();
      if (this.#open === null) return false;
      this.#fs.writeSync(this.#open.descriptor, `${line}\n`);
      this.#open.lines++;
      const { lines, since } = this.#open;
      if (lines >= this.#batchSize || Date.now() - since > OPEN_MS) this.close();
      return true;
    } catch {
      return false;
    }
  }

  /** Lets go of what was appended. */
  close(): void {
    if (this.#open === null) return;
    const open = this.#open;
    this.#open = null;
    try {
      this.#letGo(open);
    } catch {
      // It stays held, and is taken over once this process is gone.
    }
  }

  /** Takes a batch that nobody holds, or whose holder is gone; null where there is none. */
  claim(): Segment | null {
    this.close();
    for (const name of this.#names()) {
      const key = name.slice(0, name.indexOf('.'));
      if (!name.endsWith(FREE) && !this.#isLeftBehind(name)) continue;
      const path = this.#path(`${key}.${me()}${HELD}`);
      const lines = this.#take(name, path);
      if (lines !== null && lines.length > 0) return { key, lines, remove: () => this.#remove(path) };
      if (lines !== null) this.#remove(path);
    }
    return null;
  }

  /** Gives a batch back that is held. */
  release({ key }: Segment): void {
    try {
      this.#fs.renameSync(this.#path(`${key}.${me()}${HELD}`), this.#path(`${key}${FREE}`));
    } catch {
      // It stays held, and is taken over once this process is gone.
    }
  }

  #begin(): OpenSegment | null {
    if (!this.#hasRoom([])) return null;
    const key = crypto.randomUUID();
    const path = this.#path(`${key}.${me()}${HELD}`);
    return { key, path, descriptor: this.#fs.openSync(path, 'ax', 0o600), lines: 0, since: Date.now() };
  }

  #letGo({ key, path, descriptor }: OpenSegment): void {
    try {
      this.#fs.fsyncSync(descriptor);
    } finally {
      this.#fs.closeSync(descriptor);
    }
    this.#fs.renameSync(path, this.#path(`${key}${FREE}`));
  }

  /** The events of a file that is ours from now on; null where another process was faster. A last line that was cut off is left out. */
  #take(name: string, path: string): string[] | null {
    try {
      this.#fs.renameSync(this.#path(name), path);
      return this.#fs.readFileSync(path, 'utf8').split('\n').filter(isEvent);
    } catch {
      return null;
    }
  }

  #names(): string[] {
    try {
      const names = this.#fs.readdirSync(this.#directory);
      return names.filter((name) => name.endsWith(FREE) || name.endsWith(HELD));
    } catch {
      return [];
    }
  }

  #isLeftBehind(name: string): boolean {
    const holder = name.slice(name.indexOf('.') + 1, -HELD.length);
    try {
      return isHolderGone(holder, this.#fs.statSync(this.#path(name)).mtimeMs);
    } catch {
      return false;
    }
  }

  /** Whether the directory is there and nobody else's, who could read along. */
  #makeDirectory(): boolean {
    this.#fs.mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    const found = this.#fs.lstatSync(this.#directory);
    return found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
  }

  #hasRoom(lines: string[]): boolean {
    this.#isOurs ??= this.#makeDirectory();
    if (!this.#isOurs) return false;
    const size = (name: string) => this.#fs.statSync(this.#path(name), { throwIfNoEntry: false })?.size ?? 0;
    const used = this.#names().reduce((sum, name) => sum + size(name), 0);
    return used + lines.reduce((sum, line) => sum + line.length + 1, 0) < this.#maxBytes;
  }

  #remove(path: string): void {
    try {
      this.#fs.unlinkSync(path);
    } catch {
      // Its events come again one day, under the same ids.
    }
  }

  #path(name: string): string {
    return `${this.#directory}/${name}`;
  }
}
