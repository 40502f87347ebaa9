import { describe, expect, it } from 'vitest';
import { assess } from './rules.ts';

describe('status of the system', () => {
  it.each([
    [{ seconds: 0, uncountable: 0 }, null, 'betriebsbereit', 0],
    [{ seconds: -0.4, uncountable: 0 }, null, 'betriebsbereit', 0],
    [{ seconds: 60, uncountable: 0 }, null, 'betriebsbereit', 60],
    [{ seconds: 60.5, uncountable: 0 }, null, 'eingeschränkt', 60],
    [{ seconds: 3, uncountable: 1 }, null, 'eingeschränkt', 3],
    [{ seconds: 0, uncountable: 0 }, 59, 'eingeschränkt', 0],
    [{ seconds: 0, uncountable: 0 }, 60, 'betriebsbereit', 0],
    [null, null, 'gestört', null],
  ])('%j, refused %j seconds ago', (backlog, sinceRefusal, status, seconds) => {
    expect(assess(backlog, sinceRefusal)).toMatchObject({ status, rueckstand_sekunden: seconds });
  });

  it('names the part that is limited', () => {
    const ready = { seconds: 0, uncountable: 0 };
    const of = (part: string, status: ReturnType<typeof assess>) =>
      status.komponenten.find(({ name }) => name === part)?.status;
    expect(of('annahme', assess(ready, 1))).toBe('eingeschränkt');
    expect(of('zaehlung', assess(ready, 1))).toBe('ok');
    expect(of('annahme', assess({ ...ready, uncountable: 1 }, null))).toBe('ok');
  });
});
