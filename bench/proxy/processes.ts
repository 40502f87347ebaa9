/** Processes that are measured: started, watched by what the kernel says of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

export interface Started {
  child: ChildProcess;
  url: string;
}

/** Starts one of ours, which says where it listens. */
export async function startOurs(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Started> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const { msg, address } = JSON.parse(line) as { msg: string; address: string };
    if (msg === 'ready') return { child, url: address };
  }
  throw new Error('a process did not start');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const START_MS = 180_000;

/** Starts one of others at a free port, until it answers at a path. */
export async function startAnswering(
  command: string,
  argsAt: (port: number) => string[],
  { env, path }: { env: NodeJS.ProcessEnv; path: string },
): Promise<Started> {
  const port = await freePort();
  const child = spawn(command, argsAt(port), {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  const end = performance.now() + START_MS;
  while (performance.now() < end && child.exitCode === null) {
    const answer = await fetch(`${url}${path}`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return { child, url };
    await delay(200);
  }
  child.kill('SIGKILL');
  throw new Error(`${command} did not start`);
}

/** Mebibytes that a process has in memory, now and at most. */
export function memoryOf({ child }: Started): { now: number; most: number } {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const mib = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024);
  return { now: mib('VmRSS'), most: mib('VmHWM') };
}

/** Milliseconds of the processor that a process has used: other work of the machine hardly changes them. */
export function processorOf({ child }: Started): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
