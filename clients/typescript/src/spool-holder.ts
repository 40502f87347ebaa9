/** Who holds a file of the buffer: `<host>-<pid>-<token>`, the token being that of a process, since numbers of processes come again. */
import { builtin } from './builtin.ts';

/** Nobody holds a file for as long: its holder is gone, or on a machine that nobody can ask. */
const TOO_LONG_MS = 10 * 60_000;

let own: string | undefined;

const hostname = (): string =>
  (builtin('node:os')?.hostname() ?? '').replace(/[^A-Za-z0-9]/g, '').slice(0, 40);

/** This process as a holder. */
export function me(): string {
  own ??= `${hostname()}-${process.pid}-${crypto.randomUUID().slice(0, 8)}`;
  return own;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user's process nothing is told but that it is there.
    return (error as { code?: string }).code === 'EPERM';
  }
}

/** Whether a holder is gone for good; `touchedMs` is when its file was last written to. */
export function isHolderGone(holder: string, touchedMs: number): boolean {
  if (holder === me()) return false;
  if (Date.now() - touchedMs > TOO_LONG_MS) return true;
  const [host, pid] = holder.split('-');
  if (host !== hostname()) return false;
  return Number(pid) === process.pid || !isRunning(Number(pid));
}
