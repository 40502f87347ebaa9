/** The end of the process, and what senders do at it. How the process ends is not changed by it. */

/** What has something to lose. */
export interface Ending {
  isIdle(): boolean;
  /** Delivers what it can while the process is still there. */
  finish(): Promise<void>;
  /** Keeps the rest, at once: nothing is awaited any more. */
  keep(): void;
}

type Signal = 'SIGTERM' | 'SIGINT';

interface Host {
  pid: number;
  on(event: string, listener: (...args: never[]) => void): void;
  off(event: string, listener: (...args: never[]) => void): void;
  listenerCount(event: string): number;
  kill(pid: number, signal: Signal): void;
}

/** How long a process that a signal ends is kept for deliveries; then, and with a second signal, it ends at once. */
const SIGNAL_MS = 2_000;

/** What all copies of this package in a process share: as one listener each, they would take each other for the host. */
interface Shared {
  endings: Set<Ending>;
  hooks: Map<string, () => void>;
  isEnding: boolean;
}

const PLACE = Symbol.for('zaehlwerk.lifecycle.1');

function shared(): Shared {
  const global = globalThis as { [PLACE]?: Shared };
  global[PLACE] ??= { endings: new Set(), hooks: new Map(), isEnding: false };
  return global[PLACE];
}

const finishAll = (): Promise<unknown> =>
  Promise.all([...shared().endings].filter((ending) => !ending.isIdle()).map((ending) => ending.finish()));

const keepAll = () => {
  for (const ending of shared().endings) ending.keep();
};

/** Ends the process as it would have ended without us: by the signal. */
function endBy(host: Host, signal: Signal): void {
  keepAll();
  removeHooks(host);
  host.kill(host.pid, signal);
}

function onSignal(host: Host, signal: Signal): void {
  const finished = finishAll();
  // Somebody else listens, and ends the process when they want to, or not at all.
  if (host.listenerCount(signal) > 1) return;
  if (shared().isEnding) {
    endBy(host, signal);
    return;
  }
  shared().isEnding = true;
  const late = new Promise<void>((resolve) => setTimeout(resolve, SIGNAL_MS));
  void Promise.race([finished, late]).then(() => endBy(host, signal));
}

function addHooks(host: Host): void {
  const { hooks } = shared();
  hooks.set('beforeExit', () => void finishAll()).set('exit', keepAll);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) hooks.set(signal, () => onSignal(host, signal));
  for (const [event, listener] of hooks) host.on(event, listener);
}

function removeHooks(host: Host): void {
  const { hooks } = shared();
  for (const [event, listener] of hooks) host.off(event, listener);
  hooks.clear();
}

/** Node, Bun or Deno; null on runtimes whose processes end without a word. */
const hostOf = (): Host | null => {
  const { process: host } = globalThis as unknown as { process?: Partial<Host> };
  return typeof host?.on === 'function' && typeof host.listenerCount === 'function' ? (host as Host) : null;
};

/** Has it finish before the process ends; the answer ends that. */
export function beforeTheEnd(ending: Ending): () => void {
  const host = hostOf();
  if (host === null) return () => undefined;
  const { endings, hooks } = shared();
  if (hooks.size === 0) addHooks(host);
  endings.add(ending);
  return () => {
    endings.delete(ending);
    if (endings.size === 0) removeHooks(host);
  };
}
