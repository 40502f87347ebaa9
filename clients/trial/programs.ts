/** A program for each library, as its own documentation begins, and the lines that connect it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Program {
  /** The package that is tried; the table names its version. */
  library: string;
  language: 'TypeScript' | 'Python';
  /** What is installed, with the major that is tried. */
  packages: readonly string[];
  file: string;
  /** Whether the library tells agent and run by itself. */
  tells?: true;
}

const typeScript = (library: string, major: number, file: string, ...more: string[]): Program => ({
  library,
  language: 'TypeScript',
  packages: [`${library}@${major}`, ...more],
  file: `${file}.mjs`,
});

const python = (library: string, ...packages: string[]): Program => ({
  library,
  language: 'Python',
  packages,
  file: `${library.replaceAll('-', '_')}_agent.py`,
});

const telling = (program: Program): Program => ({ ...program, tells: true });

export const PROGRAMS: readonly Program[] = [
  typeScript('openai', 7, 'openai'),
  typeScript('@anthropic-ai/sdk', 1, 'anthropic'),
  typeScript('@google/genai', 3, 'google-genai'),
  typeScript('@mistralai/mistralai', 2, 'mistral'),
  typeScript('cohere-ai', 8, 'cohere'),
  typeScript('@aws-sdk/client-bedrock-runtime', 3, 'bedrock'),
  typeScript('ai', 7, 'ai', '@ai-sdk/openai@4'),
  python('openai', 'openai==3.*'),
  python('anthropic', 'anthropic==2.*'),
  python('google-genai', 'google-genai==3.*'),
  python('mistralai', 'mistralai==3.*'),
  python('cohere', 'cohere==7.*'),
  python('boto3', 'boto3==1.*'),
  python('litellm', 'litellm==1.*'),
  telling(python('langchain', 'langchain==1.*', 'langchain-openai==1.*')),
  python('llama-index-core', 'llama-index-core==0.14.*', 'llama-index-llms-openai==0.8.*'),
  telling(python('openai-agents', 'openai-agents==0.*')),
  telling(python('pydantic-ai-slim', 'pydantic-ai-slim[openai]==2.*')),
];

/** The agent of every program. */
export const AGENT = 'physicist';

/** Puts a line in the place of the only one that matches. */
function replaceLine(source: string, line: RegExp, by: string): string {
  const changed = source.replace(line, by);
  if (changed === source) throw new Error(`no line is like ${line}`);
  return changed;
}

const WAYS: Record<Program['language'], (source: string, program: Program) => string> = {
  TypeScript: (source) =>
    replaceLine(
      `import { createClient } from 'zaehlwerk';\n${source}`,
      /^const (\w+) = (.+);$/m,
      `const $1 = createClient({ agent: '${AGENT}', lauf_id: crypto.randomUUID() }).wrap($2);`,
    ),
  Python: (source, { tells }) =>
    tells
      ? `import zaehlwerk\nzaehlwerk.init()\n${source}`
      : replaceLine(
          `import zaehlwerk\n${source}`,
          /^(?=(async )?def answer)/m,
          `@zaehlwerk.init().run(agent="${AGENT}")\n`,
        ),
};

/** The program as it was and connected, and how many lines are new or other ones. */
export function connected(program: Program): { plain: string; source: string; lines: number } {
  const plain = readFileSync(join(import.meta.dirname, 'programs', program.file), 'utf8');
  const source = WAYS[program.language](plain, program);
  const before = new Set(plain.split('\n'));
  return { plain, source, lines: source.split('\n').filter((line) => !before.has(line)).length };
}
