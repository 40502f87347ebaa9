/** Programs that people have, as they have them: from the registry, connected by nothing but an address of the proxy. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findPython } from '../python/test-interpreter.ts';

const run = promisify(execFile);
const INSTALL_MS = 540_000;

/** Where a program runs. */
interface Place {
  /** Its working directory, which is empty. */
  cwd: string;
  home: string;
  /** The address that takes the place of the provider's, and that with the version, which some ask for. */
  origin: string;
  baseUrl: string;
}

/** What is started: the name of a program, its arguments, what it finds in the environment and in files. */
interface Start {
  args: string[];
  env?: Record<string, string>;
  /** Commands that are run before, as a user does once. */
  before?: string[][];
  /** By path, relative to the working directory, or to the home where it begins with `~/`. */
  files?: Record<string, string>;
}

export interface Agent {
  /** As the page names it. */
  title: string;
  /** The key of its calls. */
  name: string;
  /** The package, with the major that is tried where npm has it. */
  package: string;
  from: 'npm' | 'PyPI';
  command: string;
  /** Whether it names its session, which is the run of its calls. */
  tells?: true;
  start(place: Place, question: string): Start;
}

const MODEL = 'gpt-4o-mini';

const openCodeSettings = (baseUrl: string) => ({
  autoupdate: false,
  model: `zw/${MODEL}`,
  small_model: `zw/${MODEL}`,
  provider: {
    zw: {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: baseUrl, apiKey: 'sk-x' },
      models: { [MODEL]: { name: MODEL } },
    },
  },
});

const continueSettings = (baseUrl: string) => `name: local
version: 1.0.0
schema: v1
models:
  - name: mini
    provider: openai
    model: ${MODEL}
    apiKey: sk-x
    apiBase: ${baseUrl}
    roles: [chat]
`;

const codexSettings = (baseUrl: string) => `model_provider = "zw"
[model_providers.zw]
name = "by the proxy"
base_url = "${baseUrl}"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
`;

/** Without it `gemini -p` takes an address of one's own for a sign-in that it does not know. */
const GEMINI_SETTINGS = { security: { auth: { selectedType: 'gemini-api-key' } } };

/** Those that are small enough to be installed for a trial. Names that are not those the proxy would find show that the path counts. */
export const AGENTS: readonly Agent[] = [
  {
    title: 'Claude Code',
    name: 'review-by-claude',
    package: '@anthropic-ai/claude-code@2',
    from: 'npm',
    command: 'claude',
    tells: true,
    start: ({ origin }, question) => ({
      args: ['-p', question],
      env: { ANTHROPIC_BASE_URL: origin, ANTHROPIC_API_KEY: 'sk-x', DISABLE_AUTOUPDATER: '1' },
    }),
  },
  {
    title: 'Codex',
    name: 'review-by-codex',
    package: '@openai/codex@0',
    from: 'npm',
    command: 'codex',
    tells: true,
    start: ({ baseUrl }, question) => ({
      // What it takes of its own accord gets tools without names, which the provider here never calls: one call shows no run.
      args: ['exec', '--skip-git-repo-check', '-m', 'gpt-5.1-codex', question],
      env: { OPENAI_API_KEY: 'sk-x' },
      files: { '~/.codex/config.toml': codexSettings(baseUrl) },
    }),
  },
  {
    title: 'Gemini CLI',
    name: 'review-by-gemini',
    package: '@google/gemini-cli@0',
    from: 'npm',
    command: 'gemini',
    start: ({ origin }, question) => ({
      args: ['--skip-trust', '-m', 'gemini-2.5-flash', '-p', question],
      env: { GOOGLE_GEMINI_BASE_URL: origin, GEMINI_API_KEY: 'sk-x' },
      files: { '~/.gemini/settings.json': JSON.stringify(GEMINI_SETTINGS) },
    }),
  },
  {
    title: 'opencode',
    name: 'opencode',
    package: 'opencode-ai@1',
    from: 'npm',
    command: 'opencode',
    tells: true,
    start: ({ baseUrl }, question) => ({
      args: ['run', question],
      env: { OPENCODE_DISABLE_MODELS_FETCH: '1' },
      files: { 'opencode.json': JSON.stringify(openCodeSettings(baseUrl)) },
    }),
  },
  {
    title: 'Continue (`cn`)',
    name: 'continue',
    package: '@continuedev/cli@1',
    from: 'npm',
    command: 'cn',
    start: ({ baseUrl }, question) => ({
      args: ['--config', 'config.yaml', '--auto', '-p', question],
      env: { CONTINUE_TELEMETRY_ENABLED: '0' },
      files: { 'config.yaml': continueSettings(baseUrl) },
    }),
  },
  {
    title: 'Qwen Code',
    name: 'qwen-code',
    package: '@qwen-code/qwen-code@0',
    from: 'npm',
    command: 'qwen',
    start: ({ baseUrl }, question) => ({
      args: ['--auth-type', 'openai', '--yolo', '-p', question],
      env: { OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: MODEL },
    }),
  },
  {
    title: 'Cline (CLI)',
    name: 'cline',
    package: 'cline@3',
    from: 'npm',
    command: 'cline',
    start: ({ baseUrl }, question) => ({
      before: [['auth', '-p', 'openai', '-k', 'sk-x', '-m', MODEL, '-b', baseUrl]],
      args: ['-P', 'openai', '-m', MODEL, question],
    }),
  },
  {
    title: 'aider',
    name: 'aider',
    package: 'aider-chat==0.86.*',
    from: 'PyPI',
    command: 'aider',
    start: ({ baseUrl }, question) => ({
      args: [
        ...['--model', `openai/${MODEL}`, '--no-git', '--yes-always', '--message', question],
        ...['--no-check-update', '--analytics-disable', '--no-show-model-warnings'],
      ],
      env: { OPENAI_API_KEY: 'sk-x', OPENAI_API_BASE: baseUrl },
    }),
  },
];

/** An installed program. */
export interface Installed {
  command: string;
  version: string;
}

/** Kept, since it takes a while; one for each package and each version of what runs it. */
function folderOf(agent: Agent): string {
  const edition = createHash('sha256')
    .update(`${agent.package} ${process.version}`)
    .digest('hex')
    .slice(0, 12);
  return join(process.env.ZW_TRIAL ?? join(homedir(), '.cache', 'zaehlwerk-trial'), edition);
}

async function installNpm(agent: Agent, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const options = ['--no-audit', '--no-fund', '--prefer-offline'];
  // npm takes the newest version that the Node it runs by can run, which is to be the one that will.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  await run('npm', ['install', ...options, agent.package], { cwd: folder, env, timeout: INSTALL_MS });
}

async function installPython(agent: Agent, folder: string, python3: string): Promise<void> {
  await run(python3, ['-m', 'venv', folder]);
  await run(join(folder, 'bin/python'), ['-m', 'pip', 'install', '-q', agent.package], {
    timeout: INSTALL_MS,
  });
}

const nameOf = (agent: Agent): string => agent.package.replace(/(?<=.)(@|==).*$/, '');

async function versionOf(agent: Agent, folder: string): Promise<string> {
  if (agent.from === 'npm') {
    const file = join(folder, 'node_modules', nameOf(agent), 'package.json');
    return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  }
  const asked = `import importlib.metadata as m; print(m.version(${JSON.stringify(nameOf(agent))}))`;
  return (await run(join(folder, 'bin/python'), ['-c', asked])).stdout.trim();
}

/** Installs it, once; null where there is no Python for it. */
export async function installAgent(agent: Agent): Promise<Installed | null> {
  const python3 = findPython();
  if (agent.from === 'PyPI' && python3 === null) return null;
  const folder = folderOf(agent);
  if (!existsSync(join(folder, 'made'))) {
    rmSync(folder, { recursive: true, force: true });
    if (agent.from === 'npm') await installNpm(agent, folder);
    else await installPython(agent, folder, python3 as string);
    writeFileSync(join(folder, 'made'), '');
  }
  const bin = agent.from === 'npm' ? 'node_modules/.bin' : 'bin';
  return { command: join(folder, bin, agent.command), version: await versionOf(agent, folder) };
}
