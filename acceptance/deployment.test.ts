/** Dockerfile, compose file and unit name what there is: variables the service reads, files, the port, the commands. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { parseConfig } from '#platform/config.ts';
import { STARTED } from '../server/build.ts';
import { HOST_COMMANDS, readTyped } from '../server/src/main/cli/commands.ts';

const ROOT = resolve(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const DOCKERFILE = read('Dockerfile').replaceAll('\\\n', ' ');
const COMPOSE = read('compose.yaml');
const UNIT = read('deploy/zaehlwerk.service');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** How `npm start` runs the service, without the building before it. */
const [, MALLOC = '', COMMAND = ''] =
  /exec env ((?:MALLOC_\w+=\d+ )+)(.*)/.exec(scripts.start as string) ?? [];
const ENTRY = COMMAND.split(' ').at(-1) as string;

/** The variables of the README, which are those that the service reads (`NAME_FILE` for each). */
const KNOWN = new Set(
  [...read('README.md').matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) +\|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name as string),
  ),
);

const settingOf = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(UNIT)?.[1] ?? '';

/** `NAME=value` of a line. */
const assignments = (line: string): Record<string, string> =>
  Object.fromEntries([...line.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]));

const inImage = assignments(/^ENV (.*)$/m.exec(DOCKERFILE)?.[1] ?? '');
const inUnit = assignments(settingOf('Environment'));

/** One service of the compose file, as its lines. */
function serviceOf(name: string): string {
  const lines = COMPOSE.split('\n');
  const begin = lines.indexOf(`  ${name}:`);
  const length = lines
    .slice(begin + 1)
    .findIndex((line) => /^ {0,2}\S/.test(line) && !line.startsWith('  #'));
  return lines.slice(begin, begin + 1 + length).join('\n');
}
const inCompose: Record<string, string> = Object.fromEntries(
  [...serviceOf('zaehlwerk').matchAll(/^ {6}([A-Z_]+): (.*)$/gm)].map(([, name, value = '']) => [
    name,
    value
      .replaceAll(/\$\{BASE_URL:-(.*?)\}/g, '$1')
      .replaceAll(/\$\{\w+:\?\}/g, Buffer.alloc(32, 7).toString('base64url')),
  ]),
);

test('every variable is one that the service reads, with a value it takes', () => {
  expect(KNOWN.size).toBeGreaterThan(20);
  for (const variables of [inImage, inUnit, inCompose]) {
    expect(Object.keys(variables).length).toBeGreaterThan(3);
    expect(Object.keys(variables).filter((name) => !KNOWN.has(name))).toEqual([]);
  }
  const key = Buffer.alloc(32, 7).toString('base64');
  const composed = parseConfig({ ...inImage, ...inCompose, ZW_SCHLUESSEL: key });
  expect(composed).toMatchObject({ production: true, host: '0.0.0.0', port: 8080, linksInAnswers: false });
  expect(composed.otherHosts).toEqual(['zaehlwerk']);
  expect(parseConfig(inUnit)).toMatchObject({ production: true, host: '127.0.0.1', linksInAnswers: false });
});

describe('the image', () => {
  it('runs what npm start runs, with the files it takes along', () => {
    const [, command = ''] = /^CMD (\[.*\])$/m.exec(DOCKERFILE) ?? [];
    expect((JSON.parse(command) as string[]).join(' ')).toBe(COMMAND);
    expect(DOCKERFILE).toContain(`\nENV ${MALLOC.trim()}\n`);
    const taken = [...DOCKERFILE.matchAll(/^COPY --from=build \/opt\/zaehlwerk\/(\S+)/gm)].map(
      ([, path]) => path,
    );
    expect(taken).toEqual([
      'package.json',
      'node_modules',
      'contracts',
      'clients',
      'server',
      'proxy',
      'cockpit/dist',
    ]);
    expect(taken).toContain(ENTRY.split('/')[0]);
    const given = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths = '']) =>
      paths.split(' '),
    );
    const letThrough = [...read('.dockerignore').matchAll(/^!(\S+)$/gm)].map(([, path]) => path);
    expect(given.filter((path) => !letThrough.includes(path) || !existsSync(join(ROOT, path)))).toEqual([]);
    // Building the cockpit reads its settings, and those they stand on.
    const { extends: base } = JSON.parse(read('cockpit/tsconfig.json')) as { extends: string };
    expect(given).toContain(relative(ROOT, resolve(ROOT, 'cockpit', base)));
  });

  it('is of the Node that the project brings, not root, and looks after itself', () => {
    const major = /"node": "\^(\d+)\./.exec(read('package.json'))?.[1];
    expect(DOCKERFILE).toContain(`ARG NODE=node:${major}-slim`);
    expect(DOCKERFILE).toMatch(/^USER node$/m);
    expect(DOCKERFILE).toContain(`EXPOSE ${inImage.PORT}`);
    expect(DOCKERFILE).toContain(`VOLUME ${inImage.DATA_DIR}`);
    expect(DOCKERFILE).toMatch(/HEALTHCHECK .*\/v1\/gesund/);
  });
});

describe('the compose file', () => {
  it('speaks to the services it starts, on the port of the image', () => {
    expect(new URL(inCompose.DATABASE_URL as string).hostname).toBe('postgres');
    expect(new URL(inCompose.DATABASE_URL_ANFRAGEN as string).hostname).toBe('postgres');
    expect(new URL(inCompose.SMTP_URL as string).hostname).toBe('mail');
    for (const name of ['zaehlwerk', 'postgres', 'mail']) expect(serviceOf(name)).toMatch(/(image|build): /);
    expect(serviceOf('zaehlwerk')).toContain(`:${inImage.PORT}:${inImage.PORT}'`);
    expect(serviceOf('zaehlwerk')).toContain(`daten:${inImage.DATA_DIR}'`);
    expect(serviceOf('zaehlwerk')).toContain('read_only: true');
  });

  it('makes the roles that the service asks for', () => {
    const [, path = ''] = /'\.\/(\S+?):\/docker-entrypoint-initdb\.d/.exec(COMPOSE) ?? [];
    expect(statSync(join(ROOT, path)).mode & 0o111).not.toBe(0);
    for (const url of [inCompose.DATABASE_URL, inCompose.DATABASE_URL_ANFRAGEN])
      expect(read(path)).toContain(`CREATE ROLE ${new URL(url as string).username} LOGIN`);
  });
});

describe('the unit', () => {
  it('runs what npm start runs, from where the project lies, with a signal to the service alone', () => {
    const [node = '', ...args] = settingOf('ExecStart').split(' ');
    expect(['node', ...args].join(' ')).toBe(COMMAND);
    expect(UNIT).toContain(`\nEnvironment=${MALLOC.trim()}\n`);
    expect(node).toBe(`${settingOf('WorkingDirectory')}/node_modules/.bin/node`);
    expect(ENTRY).toBe(STARTED);
    for (const script of ['start', 'build']) expect(scripts[script]).toContain('node server/build.ts');
    expect(settingOf('KillMode')).toBe('mixed');
    expect(inUnit.DATA_DIR).toBe(`/var/lib/${settingOf('StateDirectory')}`);
  });
});

describe('the unit of the backup', () => {
  const BACKUP = read('deploy/zaehlwerk-sicherung.service');
  const of = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(BACKUP)?.[1] ?? '';

  it('runs the command as the service, on its data, with its variables', () => {
    for (const key of ['User', 'Group', 'WorkingDirectory', 'EnvironmentFile', 'StateDirectory', 'UMask'])
      expect(of(key), key).toBe(settingOf(key));
    const { SICHERUNGEN, LOG_LEVEL, ...shared } = assignments(of('Environment'));
    expect(inUnit).toMatchObject(shared);
    expect(SICHERUNGEN).toBe(join(inUnit.DATA_DIR as string, 'sicherungen'));
    const [node, script, name, ...typed] = of('ExecStart').split(' ');
    expect(settingOf('ExecStart')).toContain(node);
    expect(existsSync(join(ROOT, script as string))).toBe(true);
    const command = HOST_COMMANDS.find((each) => each.name === name);
    expect(readTyped(command as never, typed)).toMatchObject({ args: [], switches: { behalten: '14' } });
    expect(parseConfig({ ...shared, LOG_LEVEL }).logLevel).toBe('info');
  });

  it('comes by its timer, once a night, also after a night that was slept through', () => {
    const timer = read('deploy/zaehlwerk-sicherung.timer');
    expect(timer).toMatch(/^OnCalendar=\*-\*-\* \d\d:\d\d$/m);
    expect(timer).toMatch(/^Persistent=true$/m);
  });
});

it('the compose file bounds what containers log', () => {
  for (const name of ['zaehlwerk', 'postgres', 'mail']) expect(serviceOf(name)).toContain('<<: *logging');
  expect(COMPOSE).toContain("max-size: '50m'");
});
