/** A host whose process ends when its own work is done, though its client is listening. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SDK = join(import.meta.dirname, '../index.ts');

// The service listens at the second address of the name; a connection that is used again is another matter than a new one.
test.each([
  ['127.0.0.1', 1],
  ['two-addresses.test', 0],
])(
  'a client of http://%s that waits for an answer after %i others keeps no process alive',
  async (host, answered) => {
    let questions = 0;
    const server = createServer((_request, response) => {
      questions += 1;
      if (questions <= answered) response.writeHead(200, { etag: '"1"' }).end('{"eingriffe":[]}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://${host}:${(server.address() as AddressInfo).port}`;
    const script = `
      import dns from 'node:dns';
      dns.lookup = (_name, _options, done) =>
        done(null, [{ address: '::1', family: 6 }, { address: '127.0.0.1', family: 4 }]);
      const { createClient } = await import( ${JSON.stringify(SDK)});
      const client = createClient({ baseUrl: ${JSON.stringify(baseUrl)}, key: 'k', guard: { waitSeconds: 60, firstAnswerMs: 500 } });
      await client.guard({ agent: 'a' });
      process.send('passed');
      await new Promise((resolve) => process.once('message', resolve));
      process.disconnect();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    try {
      const ended = once(child, 'exit', { signal: AbortSignal.timeout(150_000) });
      expect(await once(child, 'message')).toContain('passed');
      await expect.poll(() => questions).toBe(answered + 1);
      child.send('end');
      expect(await ended).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
      server.closeAllConnections();
      server.close();
    }
  },
);
