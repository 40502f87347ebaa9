import { randomUUID } from 'node:crypto';
import type { Eingriff } from './eingriff.ts';

/** An intervention for a test: an agent blocked since 2026, until it is lifted. */
export function eingriff(change: Partial<Eingriff> = {}): Eingriff {
  return {
    eingriff_id: randomUUID(),
    stufe: 'sperren',
    objekt_art: 'agent',
    objekt: 'support/triage',
    agent:
      change.objekt_art === undefined || change.objekt_art === 'agent'
        ? (change.objekt ?? 'support/triage')
        : null,
    grund: 'Von Hand eingegriffen.',
    grund_en: 'Intervened by hand.',
    beginn: '2026-01-01T00:00:00Z',
    bis: null,
    ...change,
  };
}
