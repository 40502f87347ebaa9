/** The parts of the cockpit's kit by themselves: their specimen page, built like the cockpit and served. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, preview } from 'vite';

const ROOT = resolve(import.meta.dirname, '../cockpit');

export interface Specimen {
  /** `http://127.0.0.1:<port>`. */
  address: string;
  dispose(): Promise<void>;
}

export async function startSpecimen(): Promise<Specimen> {
  const outDir = await mkdtemp(join(tmpdir(), 'zw-muster-'));
  // What the cockpit's own build holds its pages to says nothing of this one.
  const shared = { configFile: false, root: ROOT, logLevel: 'error' } as const;
  const input = join(ROOT, 'specimen/index.html');
  const plugins = [react(), tailwindcss()];
  await build({ ...shared, plugins, build: { outDir, rolldownOptions: { input } } });
  const server = await preview({
    ...shared,
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 },
  });
  const address = server.resolvedUrls?.local[0] ?? '';
  const dispose = async () => {
    await server.close();
    await rm(outDir, { recursive: true, force: true });
  };
  return { address: address.replace(/\/$/, ''), dispose };
}
