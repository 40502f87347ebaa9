import { describe, expect, it } from 'vitest';
import { protokoll } from '../../i18n/de/protokoll.ts';

const sources = import.meta.glob<string>('../../../../server/src/domains/**/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const recorded = Object.entries(sources)
  .filter(([path]) => !path.endsWith('.test.ts'))
  .flatMap(([, text]) => [...text.matchAll(/aktion: '([a-z_]+\.[a-z_]+)'/g)].map(([, name]) => name ?? ''));

describe('the audit log', () => {
  it.each([...new Set(recorded)].sort())('has a sentence for %s', (aktion) => {
    expect(Object.keys(protokoll.action)).toContain(aktion);
  });
});
