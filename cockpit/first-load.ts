/**
 * What a browser needs before the overview shows its figures, and what it needs for all of it: the former comes in few files,
 * so that it comes at once, and the build fails when either grows beyond its bound.
 */
import { brotliCompressSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** Bytes of the page, its scripts and its styles, packed with brotli. On a phone's network a second, more or less. */
export const FIRST_LOAD_LIMIT = 160_000;

/** The same together with what the overview fetches by itself once it has its figures. */
export const WHOLE_LOAD_LIMIT = 172_000;

/** The modules it fetches then: the chart, and what stands beside the figures. */
const CHART = 'ui/chart.tsx';
const PANELS = ['verbrauch/ranks.tsx'];
const AFTER_FIGURES = [CHART, ...PANELS];

/** What lies above a page once somebody does something. */
const OVERLAYS = 'ui/overlays.ts';

type Graph = Pick<Rolldown.PluginContext, 'getModuleIds' | 'getModuleInfo'>;

/** These modules and those they import at once, directly or not; what they import later is not among them. */
function withImported(graph: Graph, first: (id: string) => boolean): Set<string> {
  const found = new Set<string>();
  const waiting = [...graph.getModuleIds()].filter(first);
  for (const id of waiting) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

const PAGE = 'index.html';

type File = Rolldown.OutputAsset | Rolldown.OutputChunk;

/** Files of the build together with those they import at once. */
function withImports(bundle: Rolldown.OutputBundle, files: File[]): Set<File> {
  const found = new Set<File>();
  const waiting = [...files];
  for (const file of waiting) {
    if (found.has(file)) continue;
    found.add(file);
    if (file.type === 'chunk') waiting.push(...file.imports.flatMap((name) => bundle[name] ?? []));
  }
  return found;
}

/** The page and the files it names. Throws when the page names no script: then nothing is measured. */
function filesOfPage(bundle: Rolldown.OutputBundle): File[] {
  const page = bundle[PAGE];
  if (page?.type !== 'asset') throw new Error(`the build has made no ${PAGE}`);
  const named = [...String(page.source).matchAll(/(?:src|href)="\/([^"]+)"/g)].map(
    ([, name]) => name as string,
  );
  // Files that are copied as they are (icon, theme) are not of the bundle; they are hardly anything.
  const files = named.flatMap((name) => bundle[name] ?? []);
  if (!files.some(({ type }) => type === 'chunk')) throw new Error(`${PAGE} names no script of the build`);
  return [page, ...files];
}

/** The files that modules come in. Throws when the build has none for one of them: then it is not measured. */
const filesOf = (bundle: Rolldown.OutputBundle, modules: string[]): File[] =>
  modules.map((name) => {
    const holds = (file: File) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(name));
    const file = Object.values(bundle).find(holds);
    if (!file) throw new Error(`no script of the build holds ${name}`);
    return file;
  });

const packedSize = (content: string | Uint8Array): number => brotliCompressSync(content).length;

function sizesOf(files: Iterable<File>): { name: string; size: number }[] {
  const sizes = [...files].map((file) => ({
    name: file.fileName,
    size: packedSize(file.type === 'chunk' ? file.code : file.source),
  }));
  return sizes.sort((a, b) => b.size - a.size);
}

/** The files of the first load with their sizes in bytes, packed; the largest come first. */
export const firstLoadOf = (bundle: Rolldown.OutputBundle) =>
  sizesOf(withImports(bundle, filesOfPage(bundle)));

/** The files of the whole overview, in the same way. */
export const wholeLoadOf = (bundle: Rolldown.OutputBundle) =>
  sizesOf(withImports(bundle, [...filesOfPage(bundle), ...filesOf(bundle, AFTER_FIGURES)]));

/** Says which file is too large for the limit; null when all together are within it. */
export function excessOf(files: { name: string; size: number }[], limit: number): string | null {
  const sum = files.reduce((total, { size }) => total + size, 0);
  if (sum <= limit) return null;
  const largest = files.slice(0, 5).map(({ name, size }) => `  ${size} ${name}`);
  return [
    `The first load of the overview takes ${sum} bytes (brotli), ${sum - limit} more than it may (the limits stand in`,
    `cockpit/first-load.ts). Import later (lazy, import()) what the overview does not need for its figures. The largest files:`,
    ...largest,
  ].join('\n');
}

/**
 * Puts what is needed at the start into two chunks, the libraries apart, since they change less often, what stands beside the
 * figures into one, and what lies above pages: each file costs a request and its heads. Holds the limit.
 */
export function firstLoad(): Plugin {
  let atStart: Set<string> = new Set();
  let beside: Set<string> = new Set();
  let above: Set<string> = new Set();
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
                { name: 'overlays', test: (id) => above.has(id) },
                { name: 'panels', test: (id) => beside.has(id) && !id.includes('/node_modules/') },
              ],
            },
          },
        },
      },
    }),
    buildEnd() {
      atStart = withImported(this, (id) => this.getModuleInfo(id)?.isEntry === true);
      above = withImported(this, (id) => id.endsWith(OVERLAYS));
      beside = withImported(this, (id) => PANELS.some((name) => id.endsWith(name)));
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const excess =
          excessOf(firstLoadOf(bundle), FIRST_LOAD_LIMIT) ?? excessOf(wholeLoadOf(bundle), WHOLE_LOAD_LIMIT);
        if (excess !== null) this.error(excess);
      },
    },
  };
}
