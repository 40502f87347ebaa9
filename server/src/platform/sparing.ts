/** For warnings about what others send: each thing is said once in a while, and never more things than a log can bear. */

export interface SparingOptions {
  /** Milliseconds before the same is said again. */
  every: number;
  /** Different things that are said within that time; further ones are not. */
  most: number;
  now?: () => number;
}

/** Whether it is time to say something about `key`; at most `most` keys are remembered. */
export function createSparing({
  every,
  most,
  now = () => performance.now(),
}: SparingOptions): (key: string) => boolean {
  const said = new Map<string, number>();
  return (key) => {
    const instant = now();
    // In the order in which they were said: the oldest come first.
    for (const [known, at] of said) {
      if (instant - at < every) break;
      said.delete(known);
    }
    if (said.has(key) || said.size >= most) return false;
    said.set(key, instant);
    return true;
  };
}
