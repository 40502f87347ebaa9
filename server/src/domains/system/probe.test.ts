import { describe, expect, it } from 'vitest';
import { createProbe } from './probe.ts';

describe('probe', () => {
  it('does not wait for an answer that does not come, and does not ask again meanwhile', async () => {
    let asked = 0;
    let answer: (value: string) => void = () => undefined;
    const probe = createProbe(() => {
      asked += 1;
      return new Promise<string>((resolve) => {
        answer = resolve;
      });
    }, 20);
    await expect(Promise.all([probe(), probe()])).rejects.toThrow('in time');
    await expect(probe()).rejects.toThrow('in time');
    expect(asked).toBe(1);

    const late = probe();
    answer('here');
    expect(await late).toBe('here');
    await expect(probe()).rejects.toThrow('in time');
    expect(asked).toBe(2);
  });

  it('passes an error on and asks again the next time', async () => {
    const answers = [Promise.reject(new Error('refused')), Promise.resolve('fine')];
    const probe = createProbe(() => answers.shift() as Promise<string>, 1_000);
    await expect(probe()).rejects.toThrow('refused');
    expect(await probe()).toBe('fine');
  });
});
