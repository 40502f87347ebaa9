/**
 * The service as processes and threads of tests start it: what `npm start` builds, in `npm test` and `npm run test:all`. A file that is
 * named starts it from the sources.
 */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { buildService, builtName, builtThread, THREAD } from '../server/build.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** Before the run: builds where that is needed, and has all that is started find it. */
export default async function makeBundle(): Promise<void> {
  const folder = await buildService();
  if (folder !== null) process.env.ZW_BUNDLE = `${pathToFileURL(folder).href}/`;
}

/** The program of a source in the bundle; the source itself where there is none. */
export function bundled(source: string): string {
  const { ZW_BUNDLE } = process.env;
  return ZW_BUNDLE ? new URL(builtName(source), ZW_BUNDLE).pathname : join(ROOT, source);
}

/** Threads that tests start in their own process come out of the bundle as well. */
export const threadsOfBundle: Plugin = {
  name: 'threads-of-bundle',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(join(ROOT, 'server/src')) || id.endsWith('.test.ts')) return null;
    return code.replace(
      THREAD,
      (original, path) =>
        `(process.env.ZW_BUNDLE ? new URL('${builtThread(id, path)}', process.env.ZW_BUNDLE) : ${original})`,
    );
  },
};
