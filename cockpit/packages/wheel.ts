/**
 * The wheel of a package in Python without anything compiled: a ZIP of its modules with what its `pyproject.toml` says about it
 * (https://packaging.python.org/en/latest/specifications/binary-distribution-format/). Made here, since a service is built where no
 * Python need be.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parse } from 'smol-toml';
import { ZipFile } from 'yazl';

/** What is read of `[project]`, as it must be there. */
interface Project {
  name: string;
  version: string;
  description: string;
  license: string;
  'license-files': string[];
  'requires-python': string;
  keywords: string[];
  classifiers: string[];
  dependencies: string[];
}

/** The keys of `[project]` that the wheel has. */
const READ = new Set<string>([
  ...['name', 'version', 'description', 'readme', 'license', 'license-files', 'requires-python'],
  ...['keywords', 'classifiers', 'dependencies'],
]);

/** A file by its path in the wheel. */
type Contents = Map<string, Buffer>;

/** The same wheel whenever it is made: the first moment a ZIP can name. */
const LONG_AGO = new Date(1980, 0, 1);

/** Core metadata 2.4, with the README as its body. */
function metadataOf(project: Project, readme: string): string {
  const fields = [
    ['Metadata-Version', '2.4'],
    ['Name', project.name],
    ['Version', project.version],
    ['Summary', project.description],
    ['Keywords', project.keywords.join(',')],
    ['License-Expression', project.license],
    ...project['license-files'].map((file) => ['License-File', file]),
    ['Requires-Python', project['requires-python']],
    ...project.classifiers.map((classifier) => ['Classifier', classifier]),
    ...project.dependencies.map((dependency) => ['Requires-Dist', dependency]),
    ['Description-Content-Type', 'text/markdown'],
  ];
  return `${fields.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${readme}`;
}

const HEAD = 'Wheel-Version: 1.0\nGenerator: zaehlwerk\nRoot-Is-Purelib: true\nTag: py3-none-any\n';

/** All files of the package but what Python has compiled. */
async function readModules(folder: string): Promise<Contents> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.pyc'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  const read = files.map(
    async (file) => [relative(folder, file).split(sep).join('/'), await readFile(file)] as const,
  );
  return new Map(await Promise.all(read));
}

/** What is in the wheel, each with its hash and size; of itself the record says nothing. */
function recordOf(contents: Contents, own: string): Buffer {
  const lines = [...contents].map(
    ([path, bytes]) =>
      `${path},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}\n`,
  );
  return Buffer.from(`${lines.join('')}${own},,\n`);
}

/** The bytes of the wheel of a project with its modules in `src`. */
export async function wheelOf(folder: string): Promise<Buffer> {
  const text = (name: string) => readFile(join(folder, name), 'utf8');
  const { project } = parse(await text('pyproject.toml')) as unknown as { project: Project };
  const unread = Object.keys(project).filter((key) => !READ.has(key));
  if (unread.length > 0) throw new Error(`pyproject.toml: ${unread.join(', ')} would not be in the wheel`);
  const info = `${project.name}-${project.version}.dist-info`;
  const contents = await readModules(join(folder, 'src'));
  contents.set(`${info}/METADATA`, Buffer.from(metadataOf(project, await text('README.md'))));
  contents.set(`${info}/WHEEL`, Buffer.from(HEAD));
  for (const name of project['license-files'])
    contents.set(`${info}/licenses/${name}`, await readFile(join(folder, name)));
  const record = `${info}/RECORD`;
  contents.set(record, recordOf(contents, record));
  const zip = new ZipFile();
  for (const [path, bytes] of contents) zip.addBuffer(bytes, path, { mtime: LONG_AGO, mode: 0o100644 });
  zip.end();
  return buffer(zip.outputStream);
}
