import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { excessOf, FIRST_LOAD_LIMIT, firstLoadOf, WHOLE_LOAD_LIMIT, wholeLoadOf } from './first-load.ts';
import { first } from './src/i18n/de/first.ts';
import { later } from './src/i18n/de/later.ts';
import { de } from './src/i18n/de.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** The modules of pages that come by one of the ways of `app/page-of.ts`. */
const pagesBy = (way: 'pageOf' | 'officePageOf'): string[] =>
  globSync('src/app/routes/*.ts', { cwd: HERE }).flatMap((file) => {
    const source = readFileSync(`${HERE}${file}`, 'utf8');
    return [...source.matchAll(new RegExp(`\\b${way}\\(\\(\\) => import\\('[./]*([^']+)'`, 'g'))].map(
      ([, module]) => module as string,
    );
  });

/** Whether texts have this path, or begin with it where it ends with a dot. */
function hasText(texts: object, path: string): boolean {
  const names = path.split('.').filter((name) => name !== '');
  const parent = names.slice(0, -1).reduce<unknown>((part, name) => Object(part)[name], texts);
  const last = names.at(-1) ?? '';
  return [last, `${last}_one`, `${last}_other`].some((name) => Object.hasOwn(Object(parent), name));
}

/** The texts that scripts name, of those there are. */
const textsIn = (code: string): string[] =>
  [...code.matchAll(/["'`]([a-zA-Z]+\.[\w.]*)/g)]
    .map(([, path]) => path as string)
    .filter((path) => hasText(de, path));

describe('the first load of the built cockpit', () => {
  let bundle: Rolldown.OutputBundle;
  beforeAll(async () => {
    const configFile = fileURLToPath(new URL('./vite.config.ts', import.meta.url));
    vi.stubEnv('NODE_ENV', 'test');
    const result = await build({ configFile, logLevel: 'error', build: { write: false } });
    // The build has set it.
    vi.unstubAllEnvs();
    const { output } = result as Rolldown.RolldownOutput;
    bundle = Object.fromEntries(output.map((file) => [file.fileName, file]));
  });

  it('is few files, within the limit', () => {
    const files = firstLoadOf(bundle);
    const kinds = files.map(({ name }) => name.replace(/-[\w-]{8}\./, '.')).sort();
    expect(kinds).toEqual([
      'assets/rolldown-runtime.js',
      'assets/start.css',
      'assets/start.js',
      'assets/vendor.js',
      'index.html',
    ]);
    expect(excessOf(files, FIRST_LOAD_LIMIT)).toBeNull();
  });

  it('is within a limit of its own with the chart and what stands beside it', () => {
    const [first, whole] = [firstLoadOf(bundle), wholeLoadOf(bundle)];
    const namesOf = (files: { name: string }[]) => files.map(({ name }) => name);
    const added = whole.filter(({ name }) => !namesOf(first).includes(name));
    expect(namesOf(whole)).toEqual(expect.arrayContaining(namesOf(first)));
    const modules = added.flatMap(({ name }) => (bundle[name] as Rolldown.OutputChunk).moduleIds);
    for (const part of ['ui/chart-plot.tsx', 'node_modules/d3-shape/', 'verbrauch/ranks.tsx'])
      expect(
        modules.some((id) => id.includes(part)),
        part,
      ).toBe(true);
    expect(excessOf(whole, WHOLE_LOAD_LIMIT)).toBeNull();
  });

  it('holds the overview, and nothing that comes later', () => {
    const modules = firstLoadOf(bundle).flatMap(({ name }) => {
      const file = bundle[name];
      return file?.type === 'chunk' ? file.moduleIds : [];
    });
    const has = (part: string) => modules.some((id) => id.includes(part));
    const parts = ['verbrauch/overview-page', 'i18n/de/first.ts', 'node_modules/react-dom/'];
    expect(parts.filter((part) => !has(part))).toEqual([]);
    const later = [
      'i18n/en',
      'i18n/de/later.ts',
      'i18n/de/office.ts',
      'ui/menu-panel.tsx',
      'radix-ui',
      '@floating-ui',
      'node_modules/d3-',
      'ui/chart.tsx',
      '@tanstack/table-core',
      'app/palette',
      'typebox',
      'zxcvbn',
      'qrcode',
    ];
    expect(later.filter(has)).toEqual([]);
  });

  it('leaves what lies above pages in one file, which no page waits for', () => {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const holding = (part: string) =>
      chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.includes(part)));
    const [overlays, ...others] = holding('@floating-ui');
    expect(others).toEqual([]);
    for (const part of [
      'ui/menu-panel.tsx',
      'ui/dialog-panel.tsx',
      'ui/term-panel.tsx',
      'react-remove-scroll/',
    ])
      expect(holding(part), part).toEqual([overlays]);
    // The way in, and the search, which is a dialog of its own kind.
    const waiting = chunks.filter(({ imports }) => imports.includes(overlays?.fileName ?? ''));
    expect(waiting.map(({ name }) => name).sort()).toEqual(['overlays', 'palette']);
  });

  it('has the texts of a page come with it', () => {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const ofStart = new Set(firstLoadOf(bundle).map(({ name }) => name));
    const reached = (module: string): Rolldown.OutputChunk[] => {
      const found = new Set(chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module))));
      expect(found.size, module).toBe(1);
      for (const { imports, dynamicImports } of found)
        for (const chunk of chunks)
          if ([...imports, ...dynamicImports].includes(chunk.fileName) && !ofStart.has(chunk.fileName))
            found.add(chunk);
      return [...found];
    };
    const loaded = { ...first, ...later, begriffe: { ...first.begriffe, ...later.begriffe } };
    const pages = pagesBy('pageOf');
    expect(pages.length).toBeGreaterThan(15);
    const missing = pages.flatMap((page) =>
      reached(page)
        .flatMap(({ code }) => textsIn(code))
        .filter((path) => !hasText(loaded, path))
        .map((path) => `${page}: ${path}`),
    );
    expect([...new Set(missing)]).toEqual([]);
    // Else nothing was read.
    const office = pagesBy('officePageOf').flatMap(reached);
    expect(office.flatMap(({ code }) => textsIn(code)).some((path) => !hasText(loaded, path))).toBe(true);
  });

  it('fails the build when it is too large, and says by how much and what is large', () => {
    const files = firstLoadOf(bundle);
    const sum = files.reduce((total, { size }) => total + size, 0);
    expect(excessOf(files, sum)).toBeNull();
    const excess = excessOf(files, sum - 7);
    expect(excess).toContain(`takes ${sum} bytes (brotli), 7 more than it may`);
    expect(excess).toContain(files[0]?.name);
  });

  it('is not measured where the page names no script, or the chart is missing', () => {
    const page = { type: 'asset', fileName: 'index.html', source: '<div></div>' } as Rolldown.OutputAsset;
    expect(() => firstLoadOf({ 'index.html': page })).toThrow('names no script');
    expect(() => firstLoadOf({})).toThrow('no index.html');
    const withoutChart = Object.fromEntries(
      Object.entries(bundle).filter(
        ([, file]) => file.type !== 'chunk' || !file.moduleIds.some((id) => id.endsWith('ui/chart.tsx')),
      ),
    );
    expect(() => wholeLoadOf(withoutChart)).toThrow('no script of the build holds ui/chart.tsx');
  });
});
