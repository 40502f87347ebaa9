/** What waits for the service: whether it has gone quiet, and how long it is waited for at most. */

/** Something waits for so long, and nothing at all has come meanwhile: the service does not answer. */
const QUIET_MS = 4_000;
/** Nothing that the service does for a page takes longer; then it is an error. */
export const GIVE_UP_MS = 60_000;

const since = new Set<{ at: number }>();
const listeners = new Set<() => void>();
let heard = 0;
let quiet = false;
let timer: ReturnType<typeof setTimeout> | undefined;

function look(): void {
  clearTimeout(timer);
  const [oldest] = since;
  const due = oldest && Math.max(oldest.at, heard) + QUIET_MS - performance.now();
  const isNow = due !== undefined && due <= 0;
  if (due !== undefined && due > 0) timer = setTimeout(look, due);
  if (isNow === quiet) return;
  quiet = isNow;
  for (const listener of listeners) listener();
}

/** Notes that something waits until the promise is settled; resolves as that does. What is answered shows that the service lives. */
export async function waitingFor<T>(promise: Promise<T>): Promise<T> {
  const one = { at: performance.now() };
  since.add(one);
  look();
  try {
    const result = await promise;
    heard = performance.now();
    return result;
  } finally {
    since.delete(one);
    look();
  }
}

/** Calls back when the service goes quiet or answers again, until what this returns is called. */
export function onQuiet(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Whether something waits for the service, and it answers nothing. */
export const isQuiet = (): boolean => quiet;
