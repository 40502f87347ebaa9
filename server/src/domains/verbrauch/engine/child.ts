/** The process of the engine, as the service sees it: one life of it. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Log } from '#platform/log.ts';
import type {
  AskMessage,
  AskResult,
  EngineMessage,
  EngineReport,
  LoadMessage,
  LocalCopy,
  TaskFailure,
} from './messages.ts';

/** It has ended, whatever the reason, with the question under way. */
export class EngineEnded extends Error {}
/** There is no engine for this platform. */
export class EngineMissing extends Error {}
/** The engine cannot answer. */
export class EngineFailure extends Error {
  readonly reason: TaskFailure['reason'];

  constructor({ reason, message }: TaskFailure) {
    super(message);
    this.reason = reason;
  }
}

/** Milliseconds in which it has to be ready. */
const LONGEST_START = 30_000;
/** Milliseconds in which it has to end once it is asked to. */
const LONGEST_END = 5_000;
/** Milliseconds in which a question has to end once it is given up. */
const LONGEST_CANCEL = 2_000;

/** What native code ends with that finds something it does not expect. */
const CRASHES = new Set<NodeJS.Signals>(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP']);

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

const ENTRY = new URL('./local/engine-process.ts', import.meta.url);

export class Child {
  /** Bytes it has taken up, as it last said. */
  memory = 0;
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #last = 0;
  #isReady = false;
  #isOver = false;
  #hasCrashed = false;

  constructor(copy: LocalCopy, log: Pick<Log, 'warn'>) {
    this.#ready.promise.catch(() => undefined);
    this.#process = fork(fileURLToPath(ENTRY), [JSON.stringify(copy)], {
      serialization: 'advanced',
      // It is handed what it may know, and none of what the service does.
      // Large pieces of memory go back to the system when they are given back.
      env: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '4000000', MALLOC_MMAP_THRESHOLD_: '1000000' },
      execArgv: ['--max-old-space-size=256'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#process.stderr?.on('data', (said: Buffer) => log.warn({ said: said.toString() }, 'engine'));
    this.#process.on('message', (report: EngineReport) => this.#hear(report));
    const deadline = setTimeout(() => this.kill(), LONGEST_START);
    this.#ready.promise.finally(() => clearTimeout(deadline)).catch(() => undefined);
    this.#process.on('error', () => this.#end(null));
    this.#process.on('exit', (_code, signal) => this.#end(signal));
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether it has ended by what it read: nobody ended it. */
  get hasCrashed(): boolean {
    return this.#hasCrashed;
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  /** Resolves once it has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  #hear(report: EngineReport): void {
    if (report.kind === 'ready') {
      this.#isReady = true;
      this.#ready.resolve();
    } else if (report.kind === 'unable') this.#ready.reject(new EngineMissing(report.message));
    else {
      this.memory = report.memory;
      const waiting = this.#waiting.get(report.id);
      this.#waiting.delete(report.id);
      if (report.kind === 'done') waiting?.resolve(report.result);
      else waiting?.reject(new EngineFailure(report.failure));
    }
  }

  #end(signal: NodeJS.Signals | null): void {
    this.#isOver = true;
    this.#hasCrashed = !this.#isReady || (signal !== null && CRASHES.has(signal));
    const error = new EngineEnded('the process of the engine has ended');
    this.#ready.reject(error);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#ended.resolve();
  }

  #send(instruction: EngineMessage): void {
    // What comes of it is heard by its end.
    if (this.#process.connected) this.#process.send(instruction, () => undefined);
  }

  ask(message: AskMessage, signal: AbortSignal): Promise<AskResult> {
    return this.#order(message, signal) as Promise<AskResult>;
  }

  load(message: LoadMessage, signal: AbortSignal): Promise<null> {
    return this.#order(message, signal) as Promise<null>;
  }

  /** Throws why nobody waits any more, where that is so sooner. */
  async #untilReady(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise: given, reject } = Promise.withResolvers<never>();
    const giveUp = () => reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    await Promise.race([this.#ready.promise, given]).finally(() =>
      signal.removeEventListener('abort', giveUp),
    );
  }

  async #order(message: AskMessage | LoadMessage, signal: AbortSignal): Promise<unknown> {
    await this.#untilReady(signal);
    if (this.#isOver) throw new EngineEnded('the process of the engine has ended');
    this.#last += 1;
    const id = this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    let deadline: NodeJS.Timeout | undefined;
    const cancel = () => {
      this.#send({ kind: 'cancel', id });
      deadline = setTimeout(() => this.kill(), LONGEST_CANCEL);
    };
    signal.addEventListener('abort', cancel, { once: true });
    this.#send({ ...message, id });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
      clearTimeout(deadline);
    }
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  /** Has it write what it holds, and end. */
  async stop(): Promise<void> {
    this.#send({ kind: 'stop' });
    const deadline = setTimeout(() => this.kill(), LONGEST_END);
    await this.#ended.promise;
    clearTimeout(deadline);
  }
}
