/**
 * How each coding agent is set up: for one person, for a team (where the agent has managed settings), for a repository. What a person
 * could not mean stands in the files as it is.
 */

export interface CodingTarget {
  /** Address of the service. */
  basis: string;
  /** The key in full, or what stands for it. */
  key: string;
  /** Attributes of everything that is sent, as `OTEL_RESOURCE_ATTRIBUTES` has them. */
  attributes: Readonly<Record<string, string>>;
}

/** Where a setting goes: a file, or the environment of the shell. */
interface CodingSetting {
  /** Names the text above it: `codingAgents.setting.<name>`. */
  name: 'person' | 'team' | 'repository' | 'environment';
  /** Path of the file; null for the environment. */
  file: string | null;
  code(target: CodingTarget): string;
}

export interface CodingAgent {
  id: 'claudeCode' | 'codex' | 'gemini' | 'copilot' | 'opencode';
  label: string;
  settings: readonly CodingSetting[];
  /** Whether this source is it. */
  sends(source: { bibliothek: string }): boolean;
}

const attributesText = ({ attributes }: CodingTarget): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');

const json = (value: unknown): string => JSON.stringify(value, null, 2);
const lines = (variables: Record<string, string>): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}=${/[\s,=;]/.test(value) ? `"${value}"` : value}`)
    .join('\n');
const authorization = ({ key }: CodingTarget): string => `Authorization=Bearer ${key}`;

const exporter = (target: CodingTarget): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: target.basis,
  OTEL_EXPORTER_OTLP_HEADERS: authorization(target),
});
const resource = (target: CodingTarget): Record<string, string> => ({
  OTEL_RESOURCE_ATTRIBUTES: attributesText(target),
});

/** Logs are whole; metrics and traces would add nothing. */
const claude = (target: CodingTarget): Record<string, string> => ({
  CLAUDE_CODE_ENABLE_TELEMETRY: '1',
  OTEL_LOGS_EXPORTER: 'otlp',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  ...exporter(target),
});

const codex = (target: CodingTarget): string => `[otel]
environment = "production"
log_user_prompt = false

[otel.exporter."otlp-http"]
endpoint = "${target.basis}/v1/logs"
protocol = "binary"

[otel.exporter."otlp-http".headers]
authorization = "Bearer ${target.key}"`;

const gemini = ({ basis }: CodingTarget): string =>
  json({
    telemetry: {
      enabled: true,
      target: 'local',
      otlpEndpoint: basis,
      otlpProtocol: 'http',
      logPrompts: false,
    },
  });

const opencode = json({ $schema: 'https://opencode.ai/config.json', experimental: { openTelemetry: true } });

const environment = (code: (target: CodingTarget) => Record<string, string>): CodingSetting => ({
  name: 'environment',
  file: null,
  code: (target) => lines(code(target)),
});
const ofRepository = environment(resource);

export const CODING_AGENTS: readonly CodingAgent[] = [
  {
    id: 'claudeCode',
    label: 'Claude Code',
    settings: [
      { name: 'person', file: '~/.claude/settings.json', code: (target) => json({ env: claude(target) }) },
      {
        name: 'team',
        file: '/etc/claude-code/managed-settings.json',
        code: (target) => json({ env: claude(target) }),
      },
      {
        name: 'repository',
        file: '.claude/settings.json',
        code: (target) => json({ env: resource(target) }),
      },
    ],
    sends: ({ bibliothek }) => bibliothek.startsWith('com.anthropic.claude_code'),
  },
  {
    id: 'codex',
    label: 'Codex CLI',
    settings: [
      { name: 'person', file: '~/.codex/config.toml', code: codex },
      { name: 'team', file: '/etc/codex/managed_config.toml', code: codex },
      ofRepository,
    ],
    sends: ({ bibliothek }) => /^codex/.test(bibliothek),
  },
  {
    id: 'gemini',
    label: 'Gemini CLI',
    settings: [
      { name: 'person', file: '~/.gemini/settings.json', code: gemini },
      { name: 'team', file: '/etc/gemini-cli/settings.json', code: gemini },
      environment((target) => ({ OTEL_EXPORTER_OTLP_HEADERS: authorization(target), ...resource(target) })),
    ],
    sends: ({ bibliothek }) => bibliothek.startsWith('gemini-cli'),
  },
  {
    id: 'copilot',
    label: 'Copilot CLI',
    settings: [
      environment((target) => ({ COPILOT_OTEL_ENABLED: 'true', ...exporter(target), ...resource(target) })),
      {
        name: 'team',
        file: 'managed-settings.json',
        code: ({ basis, attributes }) =>
          json({
            telemetry: {
              enabled: true,
              endpoint: basis,
              protocol: 'otlp-http',
              resourceAttributes: attributes,
              capture: { identity: true },
            },
          }),
      },
    ],
    sends: ({ bibliothek }) => /^(github[-.])?copilot/.test(bibliothek),
  },
  {
    id: 'opencode',
    label: 'opencode',
    settings: [
      { name: 'person', file: '~/.config/opencode/opencode.json', code: () => opencode },
      { name: 'team', file: '/etc/opencode/opencode.json', code: () => opencode },
      environment((target) => ({ ...exporter(target), ...resource(target) })),
    ],
    sends: ({ bibliothek }) => bibliothek.startsWith('opencode'),
  },
];

export const isOfCodingAgent = (source: { bibliothek: string }): boolean =>
  CODING_AGENTS.some(({ sends }) => sends(source));
