import { afterEach, expect, test, vi } from 'vitest';
import { attempt } from './protection.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const fails = () => Promise.reject(new Error('PUT /v1/cockpit/regeln: 409'));

test('what could not be set up is said on the console, and the demo goes on', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(await attempt('Kein Alarm geht hinaus.', new AbortController().signal, fails)).toBeNull();
  expect(said).toHaveBeenCalledExactlyOnceWith(
    'Die Demo konnte nicht alles einrichten: PUT /v1/cockpit/regeln: 409\nKein Alarm geht hinaus.',
  );
});

test('a demo that is being stopped says nothing', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const ending = new AbortController();
  ending.abort();
  await expect(attempt('', ending.signal, fails)).rejects.toThrow();
  expect(said).not.toHaveBeenCalled();
});
