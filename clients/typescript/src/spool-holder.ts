/** Who holds a file of the buffer: `<host>-<pid>`. All threads of a process are one holder. */
import { builtin } from './builtin.ts';

/** Nobody holds a file for as long: its holder is gone, or on a machine that nobody can ask. */
const TOO_LONG_MS = 10 * 60_000;

const hostname = (): string =>
  (builtin('node:os')?.hostname() ?? '').replace(/[^A-Za-z0-9]/g, '').slice(0, 40);

/** This process as a holder. */
export const me = (): string => `${hostname()}-${process.pid}`;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user's process only this much is known: it is there.
    return (error as { code?: string }).code === 'EPERM';
  }
}

/** Whether a holder is gone for good; `touchedMs` is when its file was last written to. */
export function isHolderGone(holder: string, touchedMs: number): boolean {
  if (Date.now() - touchedMs > TOO_LONG_MS) return true;
  // Numbers of processes come again, in containers with every start: what is older than this process is another's.
  if (holder === me()) return touchedMs < Date.now() - process.uptime() * 1_000;
  const [host, pid] = holder.split('-');
  return host === hostname() && !isRunning(Number(pid));
}
