/**
 * How programs are connected: each library by one line of a package, with the run that its calls belong to; and by settings alone what
 * emits OpenTelemetry (`docs/otlp.md`).
 */

import { TARBALL, WHEEL } from '../../../packages/names.ts';

/** Where a program goes, and with which key. */
interface Target {
  /** Address of the service. */
  basis: string;
  /** The key in full, or what stands for it. */
  key: string;
  /** Attributes that name end customer, function and project. */
  names: { endkunde: string; funktion: string; projekt: string };
}

export interface PackageExample {
  /** Names the choice in the list. */
  label: string;
  /** What brings the package from the service at an address, in a shell; null where none is needed. */
  install: ((basis: string) => string) | null;
  code(target: Target): string;
}

interface Library {
  label: string;
  imports: string;
  /** The line that connects it. */
  line: string;
  /** A call as the program makes it anyway. */
  call: string;
}

const TYPESCRIPT: readonly Library[] = [
  {
    label: 'OpenAI',
    imports: "import OpenAI from 'openai';",
    line: 'const openai = zw.wrap(new OpenAI());',
    call: "await openai.responses.create({ model: 'gpt-5-mini', input: 'Hallo' });",
  },
  {
    label: 'Anthropic',
    imports: "import Anthropic from '@anthropic-ai/sdk';",
    line: 'const anthropic = zw.wrap(new Anthropic());',
    call: "await anthropic.messages.create({ model: 'claude-haiku-4-5', max_tokens: 500, messages: [{ role: 'user', content: 'Hallo' }] });",
  },
  {
    label: 'Google Gen AI',
    imports: "import { GoogleGenAI } from '@google/genai';",
    line: 'const google = zw.wrap(new GoogleGenAI({}));',
    call: "await google.models.generateContent({ model: 'gemini-2.5-flash', contents: 'Hallo' });",
  },
  {
    label: 'Mistral',
    imports: "import { Mistral } from '@mistralai/mistralai';",
    line: 'const mistral = zw.wrap(new Mistral({ apiKey: process.env.MISTRAL_API_KEY }));',
    call: "await mistral.chat.complete({ model: 'mistral-small-latest', messages: [{ role: 'user', content: 'Hallo' }] });",
  },
  {
    label: 'Cohere',
    imports: "import { CohereClientV2 } from 'cohere-ai';",
    line: 'const cohere = zw.wrap(new CohereClientV2());',
    call: "await cohere.chat({ model: 'command-a-03-2025', messages: [{ role: 'user', content: 'Hallo' }] });",
  },
  {
    label: 'Amazon Bedrock',
    imports: "import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';",
    line: 'const bedrock = zw.wrap(new BedrockRuntimeClient());',
    call: "await bedrock.send(new ConverseCommand({ modelId: 'eu.amazon.nova-lite-v1:0', messages: [{ role: 'user', content: [{ text: 'Hallo' }] }] }));",
  },
  {
    label: 'Vercel AI SDK',
    imports: "import { openai } from '@ai-sdk/openai';\nimport { generateText } from 'ai';",
    line: "const model = zw.wrap(openai('gpt-5-mini'));",
    call: "await generateText({ model, prompt: 'Hallo' });",
  },
  {
    label: 'fetch',
    imports: '',
    line: 'const fetch = zw.instrument({ fetch: globalThis.fetch });',
    call: "await fetch('https://api.openai.com/v1/chat/completions', { method: 'POST', /* … */ });",
  },
];

/** Fetched from this service; as a file of the project it is there when the service has a newer one. */
const installed = (basis: string, file: string, installer: 'npm' | 'pip'): string =>
  `curl -fO ${basis}/pakete/${file}\n${installer} install ./${file}`;

const withTypeScript = ({ label, imports, line, call }: Library): PackageExample => ({
  label: `${label} (TypeScript)`,
  install: (basis) => installed(basis, TARBALL, 'npm'),
  code: ({ basis, key }) =>
    [
      ...(imports === '' ? [] : [imports]),
      "import { createClient } from 'zaehlwerk';",
      '',
      `const zw = createClient({ baseUrl: '${basis}', key: '${key}' });`,
      line,
      '',
      "await zw.run({ agent: 'angebots-agent', endkunde: 'kunde-a' }, async () => {",
      `  ${call}`,
      '});',
    ].join('\n'),
});

/** One line for all libraries: the package sees their transport. */
const python: PackageExample = {
  label: 'OpenAI, Anthropic, Google, Mistral, Bedrock, LangChain … (Python)',
  install: (basis) => installed(basis, WHEEL, 'pip'),
  code: ({ basis, key }) => `import zaehlwerk
from openai import OpenAI

zw = zaehlwerk.init(base_url="${basis}", key="${key}")

with zw.run(agent="angebots-agent", endkunde="kunde-a"):
    OpenAI().responses.create(model="gpt-5-mini", input="Hallo")`,
};

/** Settings in the environment of a program. */
const bySettings = (label: string, settings: (target: Target) => string[]): PackageExample => ({
  label,
  install: null,
  code: (target) => settings(target).join('\n'),
});

const exporter = ({ basis, key }: Target): string[] => [
  `OTEL_EXPORTER_OTLP_ENDPOINT=${basis}`,
  `OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer ${key}"`,
];

const WITHOUT_PACKAGE: readonly PackageExample[] = [
  bySettings('OpenTelemetry: OpenLLMetry, OpenInference, pydantic-ai, Strands …', (target) => [
    ...exporter(target),
    `OTEL_RESOURCE_ATTRIBUTES="${target.names.endkunde}=kunde-a,${target.names.funktion}=angebot,${target.names.projekt}=vertrieb"`,
  ]),
  bySettings('Langfuse', ({ basis, key }) => [
    `LANGFUSE_HOST=${basis}`,
    'LANGFUSE_PUBLIC_KEY=zaehlwerk',
    `LANGFUSE_SECRET_KEY=${key}`,
  ]),
  bySettings('LangSmith', ({ basis, key }) => [
    'LANGSMITH_TRACING=true',
    'LANGSMITH_OTEL_ENABLED=true',
    `LANGSMITH_ENDPOINT=${basis}`,
    `LANGSMITH_API_KEY=${key}`,
  ]),
];

export const packageExamples: readonly PackageExample[] = [
  ...TYPESCRIPT.map(withTypeScript),
  python,
  ...WITHOUT_PACKAGE,
];
