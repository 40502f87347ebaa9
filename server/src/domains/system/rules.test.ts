import { describe, expect, it } from 'vitest';
import { assess } from './rules.ts';

describe('status of the system', () => {
  it.each([
    [{ seconds: 0, uncountable: 0 }, 'betriebsbereit', 0],
    [{ seconds: -0.4, uncountable: 0 }, 'betriebsbereit', 0],
    [{ seconds: 60, uncountable: 0 }, 'betriebsbereit', 60],
    [{ seconds: 60.5, uncountable: 0 }, 'eingeschränkt', 60],
    [{ seconds: 3, uncountable: 1 }, 'eingeschränkt', 3],
    [null, 'gestört', null],
  ])('%j', (backlog, status, seconds) => {
    expect(assess(backlog)).toMatchObject({ status, rueckstand_sekunden: seconds });
  });
});
