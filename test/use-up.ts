import { expect } from 'vitest';
import type { SubjectLimits, Throttle } from '#platform/throttle.ts';

/** Counts until the subject may not do it again this hour; one after the other, since a Mandant has a share of the connections. */
export async function useUpHour(throttle: Throttle, limits: SubjectLimits, subject: string): Promise<void> {
  const countOn = async () => {
    for (let counted = 0; counted <= limits.perHour; counted += 1)
      await throttle.countSubject(limits, subject);
  };
  await expect(countOn()).rejects.toMatchObject({ kind: 'too-many' });
}
