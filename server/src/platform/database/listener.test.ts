/** A listener whose connection says nothing any more. */
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '#test/database.ts';
import { createLog } from '../log.ts';
import { createListener } from './listener.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

/** Passes bytes on to the database and back until `silence`. */
async function startPassage() {
  const { host = '', port = 5432 } = database.connection;
  const ends: Socket[] = [];
  const server = createServer((here) => {
    const there = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(Number(port), host);
    ends.push(here, there);
    for (const end of [here, there]) end.on('error', () => undefined);
    here.pipe(there).pipe(here);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    silence() {
      for (const end of ends.splice(0)) end.unpipe().pause();
    },
    async close() {
      for (const end of ends) end.destroy();
      server.close();
    },
  };
}

test('one whose connection is there and does not answer is deaf, until it has made another', {
  timeout: 30_000,
}, async () => {
  const passage = await startPassage();
  const heard: string[] = [];
  const listener = createListener({
    connection: { ...database.connection, host: '127.0.0.1', port: passage.port },
    channel: 'zw_probe',
    onNotice: (notice) => heard.push(notice),
    onListening: () => heard.push('listening'),
    onDeaf: () => heard.push('deaf'),
    log: createLog('fatal'),
    askEvery: 50,
  });
  await expect.poll(() => heard).toEqual(['listening']);
  passage.silence();
  await expect.poll(() => heard, { timeout: 15_000 }).toEqual(['listening', 'deaf', 'listening']);
  await listener.stop();
  await passage.close();
});
