/** Whether the wall clock goes as time does: it is held against one that nobody can set. */

export interface Clocks {
  /** Milliseconds since 1970, as the wall clock has them. */
  wall(): number;
  /** Milliseconds that only ever grow. */
  steady(): number;
}

export const systemClocks: Clocks = { wall: () => Date.now(), steady: () => performance.now() };

/** More than adjusting a clock gently makes between two looks. */
const JUMP_MS = 5_000;

/** Makes the look at the clock: seconds since it last jumped, as far as anybody looked; null when it never did. */
export function createClockWatch({ wall, steady }: Clocks): () => number | null {
  let before = { wall: wall(), steady: steady() };
  let jumpedAt: number | null = null;
  return () => {
    const now = { wall: wall(), steady: steady() };
    const jump = now.wall - before.wall - (now.steady - before.steady);
    if (Math.abs(jump) > JUMP_MS) jumpedAt = now.steady;
    before = now;
    return jumpedAt === null ? null : (now.steady - jumpedAt) / 1_000;
  };
}
