/** Keeps the process of the engine: started when somebody asks, started again when it has ended, replaced when it has grown. */
import type { Log } from '#platform/log.ts';
import { Child, EngineEnded } from './child.ts';
import type { LocalCopy } from './messages.ts';

export class Keeper {
  readonly #copy: LocalCopy;
  readonly #mostMemory: number;
  readonly #log: Pick<Log, 'warn'>;
  #child: Child | null = null;
  /** Until the one before has ended: the file has one at a time. */
  #ending = Promise.resolve();
  #isStopping = false;
  #starts = 0;

  /** `mostMemory`: bytes beyond which the process is replaced. */
  constructor(copy: LocalCopy, mostMemory: number, log: Pick<Log, 'warn'>) {
    this.#copy = copy;
    this.#mostMemory = mostMemory;
    this.#log = log;
  }

  get pid(): number | undefined {
    return this.#child?.isOver === false ? this.#child.pid : undefined;
  }

  /** Its bytes, as it last said; and how often one was started. */
  get state(): { memory: number; starts: number } {
    return { memory: this.pid === undefined ? 0 : (this.#child?.memory ?? 0), starts: this.#starts };
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** The process, which is started where none is running. */
  async running(): Promise<Child> {
    await this.#ending;
    if (this.#isStopping) throw new EngineEnded('the service is stopping');
    if (this.#child === null || this.#child.isOver) {
      this.#starts += 1;
      const isSuspect = this.#child?.hasCrashed ?? false;
      this.#child = new Child({ ...this.#copy, isSuspect }, this.#log);
    }
    return this.#child;
  }

  /** To be called after an answer: ends a process that has grown too large, once it has nothing to do. */
  replaceIfLarge(used: Child): void {
    if (used !== this.#child || used.memory <= this.#mostMemory || !used.isIdle) return;
    this.#child = null;
    this.#ending = used.stop();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([this.#ending, this.#child?.stop()]);
  }
}
