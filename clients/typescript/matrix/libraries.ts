/** Each library in each of its two newest majors, as its own documentation has it used. */
import type { ConnectedClient } from '../src/index.ts';
import type { Load } from './install.ts';

/** What libraries are made of, as far as it is used here; their types are theirs. */
type Loose = {
  (...args: unknown[]): Loose;
  new (...args: unknown[]): Loose;
  readonly [name: string]: Loose;
} & AsyncIterable<unknown>;

/** A program that uses a library; `signal` ends a stream on its way. */
export interface Program {
  json(): Promise<unknown>;
  stream(signal?: AbortSignal): Promise<AsyncIterable<unknown>>;
  tool(): Promise<unknown>;
}

/** As much of a client as connects a library. */
export type Connecting = Pick<ConnectedClient, 'wrap'> & { zaehlwerkMiddleware(): unknown };

export interface Library {
  name: string;
  /** `zw`: connected. */
  start(load: Load, url: string, zw: Connecting | null): Promise<Program>;
  /** Whether it repeats a call that was refused once. */
  retries: boolean;
  model: string;
  /** Whether its provider says with every piece of a stream what was counted so far. */
  countsAsItGoes?: true;
}

const ASKED = [{ role: 'user', content: 'How hot is boiling water?' }];
const SCHEMA = { type: 'object', properties: { query: { type: 'string' } } };
const FUNCTION = {
  type: 'function',
  function: { name: 'search', description: 'searches', parameters: SCHEMA },
};

const connect = (zw: Connecting | null, client: Loose): Loose =>
  zw === null ? client : (zw.wrap(client as object) as Loose);

const options = (signal?: AbortSignal) => (signal === undefined ? {} : { signal });

const chat = (major: number): Library => ({
  name: `openai ${major}, chat`,
  retries: true,
  model: 'gpt-5.1',
  async start(load, url, zw) {
    const { default: OpenAI } = (await load(`openai-${major}`)) as Loose;
    const client = connect(zw, new (OpenAI as Loose)({ apiKey: 'k', baseURL: `${url}/v1` }));
    const create = (more: object, how = {}) =>
      client.chat?.completions?.create?.({ model: this.model, messages: ASKED, ...more }, how) as Loose;
    return {
      json: async () => create({}),
      stream: async (signal) => create({ stream: true }, options(signal)),
      tool: async () => create({ tools: [FUNCTION] }),
    };
  },
});

const responses = (major: number): Library => ({
  ...chat(major),
  name: `openai ${major}, responses`,
  async start(load, url, zw) {
    const { default: OpenAI } = (await load(`openai-${major}`)) as Loose;
    const client = connect(zw, new (OpenAI as Loose)({ apiKey: 'k', baseURL: `${url}/v1` }));
    const create = (more: object, how = {}) =>
      client.responses?.create?.({ model: this.model, input: 'How hot?', ...more }, how) as Loose;
    return {
      json: async () => create({}),
      stream: async (signal) => create({ stream: true }, options(signal)),
      tool: async () => create({ tools: [{ type: 'function', name: 'search', parameters: SCHEMA }] }),
    };
  },
});

const anthropic = (major: number): Library => ({
  name: `@anthropic-ai/sdk ${major}`,
  retries: true,
  model: 'claude-opus-4-8',
  async start(load, url, zw) {
    const { default: Anthropic } = (await load(`anthropic-${major}`)) as Loose;
    const client = connect(zw, new (Anthropic as Loose)({ apiKey: 'k', baseURL: url }));
    const create = (more: object, how = {}) =>
      client.messages?.create?.(
        { model: this.model, max_tokens: 50, messages: ASKED, ...more },
        how,
      ) as Loose;
    return {
      json: async () => create({}),
      stream: async (signal) => create({ stream: true }, options(signal)),
      tool: async () => create({ tools: [{ name: 'search', input_schema: SCHEMA }] }),
    };
  },
});

const genai = (major: number): Library => ({
  name: `@google/genai ${major}`,
  retries: false,
  model: 'gemini-3-pro',
  countsAsItGoes: true,
  async start(load, url, zw) {
    const { GoogleGenAI } = (await load(`genai-${major}`)) as Loose;
    const client = connect(zw, new (GoogleGenAI as Loose)({ apiKey: 'k', httpOptions: { baseUrl: url } }));
    const asked = (config: object) => ({ model: this.model, contents: 'How hot?', config });
    const tools = [
      { functionDeclarations: [{ name: 'search', parameters: { type: 'OBJECT', properties: {} } }] },
    ];
    return {
      json: async () => client.models?.generateContent?.(asked({})),
      stream: async (signal) =>
        client.models?.generateContentStream?.(asked(signal ? { abortSignal: signal } : {})) as Loose,
      tool: async () => client.models?.generateContent?.(asked({ tools })),
    };
  },
});

const mistral = (major: number): Library => ({
  name: `@mistralai/mistralai ${major}`,
  retries: false,
  model: 'mistral-large-latest',
  async start(load, url, zw) {
    const { Mistral } = (await load(`mistral-${major}`)) as Loose;
    const client = connect(zw, new (Mistral as Loose)({ apiKey: 'k', serverURL: url }));
    const asked = (more = {}) => ({ model: this.model, messages: ASKED, ...more });
    return {
      json: async () => client.chat?.complete?.(asked()),
      stream: async (signal) =>
        client.chat?.stream?.(asked(), signal ? { fetchOptions: { signal } } : {}) as Loose,
      tool: async () => client.chat?.complete?.(asked({ tools: [FUNCTION] })),
    };
  },
});

const cohere = (major: number): Library => ({
  name: `cohere-ai ${major}`,
  retries: true,
  model: 'command-a-03-2025',
  async start(load, url, zw) {
    const library = (await load(`cohere-${major}`)) as Loose;
    const { CohereClientV2 } = (library.CohereClientV2 ? library : library.default) as Loose;
    const client = connect(zw, new (CohereClientV2 as Loose)({ token: 'k', environment: url }));
    const asked = (more = {}) => ({ model: this.model, messages: ASKED, ...more });
    return {
      json: async () => client.chat?.(asked()),
      stream: async (signal) => client.chatStream?.(asked(), signal ? { abortSignal: signal } : {}) as Loose,
      tool: async () => client.chat?.(asked({ tools: [FUNCTION] })),
    };
  },
});

const COHERE = 'https://api.cohere.com';

/** The first version of the provider's chat, which the library has beside the second. */
const cohereFirst = (major: number): Library => ({
  ...cohere(major),
  name: `cohere-ai ${major}, first version`,
  async start(load, url, zw) {
    const library = (await load(`cohere-${major}`)) as Loose;
    const { CohereClient } = (library.CohereClient ? library : library.default) as Loose;
    // Programs of all kinds have such a path: the provider's own host tells that it is one of its calls.
    const { origin, pathname } = new URL(url);
    const there = (input: unknown, init?: RequestInit) => fetch(String(input).replace(COHERE, origin), init);
    const client = connect(
      zw,
      new (CohereClient as Loose)({ token: 'k', environment: COHERE + pathname, fetch: there }),
    );
    const asked = (more = {}) => ({ model: this.model, message: 'How hot is boiling water?', ...more });
    const tools = [{ name: 'search', description: 'searches' }];
    return {
      json: async () => client.chat?.(asked()),
      stream: async (signal) => client.chatStream?.(asked(), signal ? { abortSignal: signal } : {}) as Loose,
      tool: async () => client.chat?.(asked({ tools })),
    };
  },
});

const bedrockOptions = (endpoint: string) => ({
  region: 'eu-central-1',
  endpoint,
  credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
});

/** The only major there is since 2020; its predecessor is another package, without Bedrock's models. */
const bedrock: Library = {
  name: '@aws-sdk/client-bedrock-runtime 3',
  retries: true,
  model: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
  async start(load, url, zw) {
    const { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } = (await load(
      'bedrock-3',
    )) as Loose;
    const client = connect(zw, new (BedrockRuntimeClient as Loose)(bedrockOptions(url)));
    const asked = (more = {}) => ({
      modelId: this.model,
      messages: [{ role: 'user', content: [{ text: 'How hot?' }] }],
      ...more,
    });
    const tools = {
      toolConfig: { tools: [{ toolSpec: { name: 'search', inputSchema: { json: SCHEMA } } }] },
    };
    return {
      json: async () => client.send?.(new (ConverseCommand as Loose)(asked())),
      stream: async (signal) => {
        const how = signal ? { abortSignal: signal } : {};
        const answer = await client.send?.(new (ConverseStreamCommand as Loose)(asked()), how);
        return answer?.stream as Loose;
      },
      tool: async () => client.send?.(new (ConverseCommand as Loose)(asked(tools))),
    };
  },
};

/** Each maker's own form under the address of a model; here Anthropic's. */
const bedrockInvoke: Library = {
  ...bedrock,
  name: '@aws-sdk/client-bedrock-runtime 3, invoke',
  async start(load, url, zw) {
    const library = (await load('bedrock-3')) as Loose;
    const client = connect(zw, new (library.BedrockRuntimeClient as Loose)(bedrockOptions(url)));
    const asked = (more = {}) => ({
      modelId: this.model,
      contentType: 'application/json',
      body: JSON.stringify({
        anthropic_version: 'bedrock-2023-05-31',
        max_tokens: 50,
        messages: ASKED,
        ...more,
      }),
    });
    const invoke = async (more = {}) =>
      client.send?.(new (library.InvokeModelCommand as Loose)(asked(more))) as Loose;
    return {
      json: async () => invoke(),
      stream: async (signal) => {
        const how = signal ? { abortSignal: signal } : {};
        const command = new (library.InvokeModelWithResponseStreamCommand as Loose)(asked());
        const answer = await client.send?.(command, how);
        return answer?.body as Loose;
      },
      tool: async () => invoke({ tools: [{ name: 'search', input_schema: SCHEMA }] }),
    };
  },
};

const aiSdk = (major: number, provider: 'openai' | 'anthropic', way?: 'wrap'): Library => ({
  name: [`ai ${major}`, provider, ...(way ? [way] : [])].join(', '),
  retries: true,
  model: provider === 'openai' ? 'gpt-5.1' : 'claude-opus-4-8',
  async start(load, url, zw) {
    const ai = (await load(`ai-${major}`)) as Loose;
    const of = (await load(`@ai-sdk/${provider}-${major - 3}`)) as Loose;
    const make = (provider === 'openai' ? of.createOpenAI : of.createAnthropic) as Loose;
    const plain = make({ apiKey: 'k', baseURL: `${url}/v1` })(this.model);
    const middleware = way === 'wrap' ? undefined : zw?.zaehlwerkMiddleware();
    const model = middleware ? ai.wrapLanguageModel?.({ model: plain, middleware }) : connect(zw, plain);
    const asked = (more = {}) => ({ model, prompt: 'How hot?', ...more });
    const tools = { search: (ai.tool as Loose)({ inputSchema: (ai.jsonSchema as Loose)(SCHEMA) }) };
    return {
      json: async () => ai.generateText?.(asked()),
      stream: async (signal) =>
        // By itself it writes errors to the console.
        ai.streamText?.(asked({ onError: () => {}, ...(signal ? { abortSignal: signal } : {}) }))
          ?.fullStream as Loose,
      tool: async () => ai.generateText?.(asked({ tools })),
    };
  },
});

/** Embeddings through the AI SDK, which has had a place to connect them since its sixth major. */
export const embedWithAiSdk = async (load: Load, major: number, url: string, zw: Connecting) => {
  const ai = (await load(`ai-${major}`)) as Loose;
  const { createOpenAI } = (await load(`@ai-sdk/openai-${major - 3}`)) as Loose;
  const plain = createOpenAI?.({ apiKey: 'k', baseURL: `${url}/v1` })?.embeddingModel?.(
    'text-embedding-3-small',
  );
  const model = ai.wrapEmbeddingModel?.({ model: plain, middleware: zw.zaehlwerkMiddleware() });
  return ai.embedMany?.({ model, values: ['How hot?', 'How cold?'] });
};

export const LIBRARIES: readonly Library[] = [
  chat(6),
  chat(7),
  responses(6),
  responses(7),
  anthropic(0),
  anthropic(1),
  genai(2),
  genai(3),
  mistral(1),
  mistral(2),
  cohere(7),
  cohere(8),
  cohereFirst(7),
  cohereFirst(8),
  bedrock,
  bedrockInvoke,
  aiSdk(5, 'openai'),
  aiSdk(5, 'anthropic'),
  aiSdk(6, 'openai'),
  aiSdk(6, 'anthropic'),
  aiSdk(7, 'openai'),
  aiSdk(7, 'anthropic'),
  aiSdk(5, 'anthropic', 'wrap'),
  aiSdk(6, 'openai', 'wrap'),
  aiSdk(7, 'openai', 'wrap'),
];
