/** What the fake provider is made of: a request as any provider gets it, what is answered, and the form in which a provider says it. */

/** Counts of an answer; what a form counts within another is said by `Means`. */
export interface Usage {
  /** Beside what the cache held. */
  freshInput: number;
  cacheRead: number;
  cacheWrite: number;
  /** Beside reasoning. */
  visibleOutput: number;
  reasoning: number;
}

/** A call of a tool that the model asks for. */
export interface Tool {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

/** An answer before any provider's form. */
export interface Plan {
  /** 32 hex characters. */
  id: string;
  /** Unix seconds. */
  created: number;
  model: string;
  /** The text, as a stream would bring it. */
  pieces: string[];
  tool: Tool | null;
  usage: Usage;
}

/** A request, as far as it decides on the answer. */
export interface Asked {
  model: string;
  stream: boolean;
  /** Names of the tools on offer. */
  tools: string[];
  /** Whether the request brings what a tool returned. */
  hasToolResult: boolean;
  body: Record<string, unknown>;
  path: string;
}

/** One provider's way of asking and answering. */
export interface Form {
  name: string;
  /** Whether a request to this path, with this body, is one of this form. */
  matches(path: string, body: Record<string, unknown>): boolean;
  read(path: string, body: Record<string, unknown>): Asked;
  /** What this form has of the counts; the others are 0 in its answers. */
  has: readonly (keyof Usage)[];
  inputIncludesCache: boolean;
  outputIncludesReasoning: boolean;
  /** Whether the answer says its counts at all; it does where this is left out. */
  saysUsage?(asked: Asked): boolean;
  /** The id by which the answer names itself. */
  answerId(plan: Plan): string;
  headers?(plan: Plan): Record<string, string>;
  json(plan: Plan, asked: Asked): unknown;
  streamType: string;
  frames(plan: Plan, asked: Asked): Iterable<string | Uint8Array>;
  /** What ends a stream that goes wrong on the way. */
  errorFrame(message: string): string | Uint8Array;
  error(status: number, message: string): unknown;
  errorHeaders?(status: number): Record<string, string>;
}

export const sse = (data: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

export const textOf = (plan: Plan): string => plan.pieces.join('');

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A field of an object, undefined of anything else. */
export function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined,
    value,
  );
}

export const texts = (values: unknown[]): string[] => values.filter((value) => typeof value === 'string');

export const inputOf = ({ freshInput, cacheRead, cacheWrite }: Usage): number =>
  freshInput + cacheRead + cacheWrite;

export const outputOf = ({ visibleOutput, reasoning }: Usage): number => visibleOutput + reasoning;
