import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { excessOf, FIRST_LOAD_LIMIT, firstLoadOf, WHOLE_LOAD_LIMIT, wholeLoadOf } from './first-load.ts';

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
