/**
 * What a browser needs before the overview shows its figures: it comes in few files, so that it comes at once, and the build
 * fails when it grows beyond its bound.
 */
import { brotliCompressSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** Bytes of the page, its scripts and its styles, packed with brotli. On a phone's network a second, more or less. */
export const FIRST_LOAD_LIMIT = 180_000;

type Graph = Pick<Rolldown.PluginContext, 'getModuleIds' | 'getModuleInfo'>;

/** The modules the entry imports at once, directly or not; what it imports later is not among them. */
function modulesAtStart(graph: Graph): Set<string> {
  const found = new Set<string>();
  const waiting = [...graph.getModuleIds()].filter((id) => graph.getModuleInfo(id)?.isEntry);
  for (const id of waiting) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

const PAGE = 'index.html';

/** The page, the files it names, and what those import at once. Throws when the page names no script: then nothing is measured. */
function filesAtStart(bundle: Rolldown.OutputBundle): Set<Rolldown.OutputAsset | Rolldown.OutputChunk> {
  const page = bundle[PAGE];
  if (page?.type !== 'asset') throw new Error(`the build has made no ${PAGE}`);
  const named = [...String(page.source).matchAll(/(?:src|href)="\/([^"]+)"/g)].map(
    ([, name]) => name as string,
  );
  const found = new Set([page as Rolldown.OutputAsset | Rolldown.OutputChunk]);
  // Files that are copied as they are (icon, theme) are not of the bundle; they are hardly anything.
  const waiting = named.flatMap((name) => bundle[name] ?? []);
  for (const file of waiting) {
    if (found.has(file)) continue;
    found.add(file);
    if (file.type === 'chunk') waiting.push(...file.imports.flatMap((name) => bundle[name] ?? []));
  }
  if (![...found].some(({ type }) => type === 'chunk'))
    throw new Error(`${PAGE} names no script of the build`);
  return found;
}

const packedSize = (content: string | Uint8Array): number => brotliCompressSync(content).length;

/** The files of the first load with their sizes in bytes, packed; the largest come first. */
export function firstLoadOf(bundle: Rolldown.OutputBundle): { name: string; size: number }[] {
  const sizes = [...filesAtStart(bundle)].map((file) => ({
    name: file.fileName,
    size: packedSize(file.type === 'chunk' ? file.code : file.source),
  }));
  return sizes.sort((a, b) => b.size - a.size);
}

/** Says which file is too large for the limit; null when all together are within it. */
export function excessOf(files: { name: string; size: number }[], limit: number): string | null {
  const sum = files.reduce((total, { size }) => total + size, 0);
  if (sum <= limit) return null;
  const largest = files.slice(0, 5).map(({ name, size }) => `  ${size} ${name}`);
  return [
    `The first load of the overview takes ${sum} bytes (brotli), ${sum - limit} more than it may (FIRST_LOAD_LIMIT in`,
    `cockpit/first-load.ts). Import later (lazy, import()) what the overview does not need for its figures. The largest files:`,
    ...largest,
  ].join('\n');
}

/** Puts what is needed at the start into two chunks, the libraries apart, since they change less often; and holds the limit. */
export function firstLoad(): Plugin {
  let atStart: Set<string> = new Set();
  return {
    name: 'zaehlwerk:first-load',
    apply: 'build',
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'vendor', test: (id) => atStart.has(id) && id.includes('/node_modules/') },
                { name: 'start', test: (id) => atStart.has(id) },
              ],
            },
          },
        },
      },
    }),
    buildEnd() {
      atStart = modulesAtStart(this);
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const excess = excessOf(firstLoadOf(bundle), FIRST_LOAD_LIMIT);
        if (excess !== null) this.error(excess);
      },
    },
  };
}
