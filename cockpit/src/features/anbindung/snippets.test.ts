import { describe, expect, it } from 'vitest';
import { snippetsFor } from './snippets.ts';

const address = 'https://zaehlwerk.example/v1/ereignisse';

describe('snippetsFor', () => {
  it.each(snippetsFor(address, 'zw_live_k3y'))('$label names the address and the key', ({ code }) => {
    expect(code).toContain(address);
    expect(code).toContain('Bearer zw_live_k3y');
  });

  it('the TypeScript one sends what the curl one sends', async () => {
    const [curl, typescript] = snippetsFor(address, 'zw_live_k3y');
    const sent: unknown[] = [];
    const run = new Function('fetch', `return (async () => { ${typescript?.code} })()`);
    await run(async (_url: string, init: { body: string }) => sent.push(JSON.parse(init.body)));
    expect(sent).toEqual([JSON.parse(/-d '(.*)'$/s.exec(curl?.code ?? '')?.[1] ?? '')]);
  });
});
