/**
 * Builds the cockpit, and the packages that the service hands out beside it, when their sources have changed since the last build, and says so in one line. Runs
 * before every start; costs a few milliseconds when there is nothing to do. An installation without development packages
 * cannot build: it runs with what was built before, and says so where that is old or missing.
 *
 * Safe when two processes run it at once: each builds into a folder of its own and then moves the files into
 * place one by one, `index.html` (as it is and packed) after the assets it names and the recorded hash last.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const cockpit = dirname(fileURLToPath(import.meta.url));
const root = dirname(cockpit);
const dist = join(cockpit, 'dist');
const stamp = join(dist, '.quelle');
const stagingPrefix = '.bau-';

/** Every file below a folder, absolute and sorted; hidden files and `dist` are left out. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (file) =>
        !relative(folder, file)
          .split(sep)
          .some((part) => part.startsWith('.') || part === 'dist'),
    )
    .sort();
}

/** SHA-256 over names and contents of everything that goes into the build. */
async function hashSources(): Promise<string> {
  const files = [
    ...(await filesBelow(cockpit)),
    ...(await filesBelow(join(root, 'contracts'))),
    ...(await filesBelow(join(root, 'clients'))),
    join(root, 'package-lock.json'),
  ];
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(`${relative(root, file)}\0`).update(await readFile(file));
  }
  return hash.digest('hex');
}

/** The page, as it is or packed. */
const isPage = (name: string) => name.startsWith('index.html');

/** Moves a finished build into `dist` and removes what earlier builds left there. */
async function moveIntoPlace(staging: string, hash: string): Promise<void> {
  const fresh = (await readdir(staging, { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(staging, join(entry.parentPath, entry.name)))
    .sort((a, b) => Number(isPage(a)) - Number(isPage(b)));
  for (const name of fresh) {
    await mkdir(dirname(join(dist, name)), { recursive: true });
    await rename(join(staging, name), join(dist, name));
  }
  const keep = new Set(fresh.map((name) => join(dist, name)));
  for (const file of await filesBelow(dist)) {
    if (!keep.has(file)) await rm(file, { force: true });
  }
  await writeFile(`${stamp}-${process.pid}`, hash);
  await rename(`${stamp}-${process.pid}`, stamp);
  await rm(staging, { recursive: true, force: true });
}

/** Removes staging folders of builds that were killed: older than an hour. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(dist)) {
    if (!name.startsWith(stagingPrefix)) continue;
    const folder = join(dist, name);
    const changed = await stat(folder).then(
      (info) => info.mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - changed > 3_600_000) await rm(folder, { recursive: true, force: true });
  }
}

/** Whether Vite is installed, which is a development package. */
function canBuild(): boolean {
  try {
    import.meta.resolve('vite');
    return true;
  } catch {
    return false;
  }
}

async function buildCockpit(hash: string): Promise<void> {
  const begin = performance.now();
  const staging = join(dist, `${stagingPrefix}${process.pid}`);
  await mkdir(dist, { recursive: true });
  await removeLeftovers();
  const { build } = await import('vite');
  await build({
    configFile: join(cockpit, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: staging, emptyOutDir: true },
  });
  const { makePackages } = await import('./packages/make.ts');
  await makePackages(join(staging, 'pakete'));
  await moveIntoPlace(staging, hash);
  console.log(`Cockpit and packages built in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}

const HOW_TO = 'Mit „npm ci && npm run build && npm prune --omit=dev“ wird es gebaut.';

/** Says what there is to say about a cockpit that cannot be built here; without any, the start ends. */
function makeDo(): void {
  if (existsSync(join(dist, 'index.html'))) {
    console.error(`Das gebaute Cockpit ist älter als seine Quellen; der Dienst startet damit. ${HOW_TO}`);
    return;
  }
  console.error(`Das Cockpit ist nicht gebaut, und die Entwicklungspakete dafür fehlen. ${HOW_TO}`);
  process.exitCode = 1;
}

const hash = await hashSources();
const built = await readFile(stamp, 'utf8').catch(() => '');
if (built !== hash) {
  if (canBuild()) await buildCockpit(hash);
  else makeDo();
}
