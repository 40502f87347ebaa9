/** A run as an agent makes it: what is said grows, tokens and caches follow from it, prints are made of what is asked anew. */
import type { Ereignis } from '#client/event.ts';
import type { Chance } from './chance.ts';
import { MINUTE, type PlannedCall, printsOfCall, type Tool } from './planned.ts';

/** What an event says besides. */
type Told = Omit<Partial<Ereignis>, 'ereignis_id' | 'agent'>;

export interface SessionOptions {
  agent: string;
  modell: string;
  /** Milliseconds from the beginning of the stream. */
  at: number;
  /** Tokens of instructions and of the descriptions of tools. */
  system?: number;
  /** Left out: a new run; null: calls without a run. */
  lauf?: string | null;
  /** The step of another run that led here. */
  eltern?: string | null;
  /** The run that it was begun from, as the packages say it. */
  elternLauf?: string | null;
  more?: Told;
}

export interface Reply {
  tools?: readonly Tool[];
  /** Tokens of what the model writes, tools included. */
  output?: number;
  thinking?: number;
  /** Milliseconds. */
  latency?: number;
  /** Refused or failed: without tokens, and what was asked is asked still. */
  fails?: { code: string; tokens?: boolean };
  more?: Told;
}

const CHARACTERS_PER_TOKEN = 4;
const CACHE_LASTS = 5 * MINUTE;
/** Of providers: shorter prompts are not kept. */
const LEAST_CACHED = 1_024;

const providerOf = (modell: string): string => {
  if (modell.startsWith('claude')) return 'anthropic';
  return modell.startsWith('gemini') ? 'google' : 'openai';
};

export class Session {
  readonly calls: PlannedCall[] = [];
  readonly lauf: string | null;
  at: number;
  readonly #chance: Chance;
  readonly #options: SessionOptions;
  readonly #anbieter: string;
  #step = 0;
  /** What is asked anew. */
  #asked: object[] = [];
  /** Tokens of the instructions and all that was said. */
  #context: number;
  #cached = { tokens: 0, until: 0 };

  constructor(chance: Chance, options: SessionOptions) {
    this.#chance = chance;
    this.#options = options;
    this.#anbieter = providerOf(options.modell);
    this.#context = options.system ?? 400;
    this.lauf = options.lauf === undefined ? chance.uuid() : options.lauf;
    this.at = options.at;
  }

  /** The id of the latest call, for what it leads to. */
  get latest(): string | null {
    return this.calls.at(-1)?.event.ereignis_id ?? null;
  }

  get context(): number {
    return this.#context;
  }

  /** A person, or a program in its place, says something; `tokens` where that is more than what is written here. */
  says(text: string, tokens?: number): this {
    return this.#hears({ role: 'user', content: text }, text, tokens);
  }

  /** A tool answers. */
  result(text: string, tokens?: number): this {
    return this.#hears({ role: 'tool', content: text }, text, tokens);
  }

  waits(milliseconds: number): this {
    this.at += milliseconds;
    return this;
  }

  /** What was said so far gives way to a summary of it. */
  compacts(summary: string, tokens: number): this {
    this.#context = this.#options.system ?? 400;
    this.#asked = [];
    this.#cached = { tokens: 0, until: 0 };
    return this.says(summary, tokens);
  }

  /** Starts over with nothing but the instructions. */
  forgets(): this {
    this.#context = this.#options.system ?? 400;
    this.#asked = [];
    this.#cached.tokens = Math.min(this.#cached.tokens, this.#context);
    return this;
  }

  /** A call is made; what was asked is answered by it, unless it fails. */
  call(reply: Reply = {}): this {
    const { fails, thinking = 0, tools = [] } = reply;
    const output = reply.output ?? 40 + 60 * tools.length;
    const latency = reply.latency ?? this.#chance.around(900 + 14 * (output + thinking));
    const hasTokens = fails === undefined || fails.tokens === true;
    this.#step += 1;
    this.calls.push({
      at: this.at,
      event: {
        ereignis_id: this.#chance.uuid(),
        agent: this.#options.agent,
        anbieter: this.#anbieter,
        modell: this.#options.modell,
        ...(this.lauf === null ? {} : { lauf_id: this.lauf, schritt_nr: this.#step }),
        ...(this.#options.eltern ? { eltern_span: this.#options.eltern } : {}),
        ...(this.#options.elternLauf ? { zusatz: { eltern_lauf: this.#options.elternLauf } } : {}),
        latenz_ms: latency,
        ...(hasTokens ? this.#tokens(output, thinking) : {}),
        werkzeugaufrufe: tools.length,
        ...(fails ? { status: 'fehler', fehlercode: fails.code } : {}),
        ...printsOfCall(this.#asked, tools),
        quelle: 'sdk',
        ...this.#options.more,
        ...reply.more,
      },
    });
    this.at += latency;
    if (fails) return this;
    this.#asked = [];
    this.#context += output;
    return this;
  }

  #hears(message: object, text: string, tokens = Math.ceil(text.length / CHARACTERS_PER_TOKEN)): this {
    this.#asked.push(message);
    this.#context += tokens;
    return this;
  }

  /** As the provider counts: one tells what came from the cache beside the input, another within it. */
  #tokens(output: number, thinking: number): Told {
    const input = this.#context;
    const isWarm = this.at < this.#cached.until;
    const read = isWarm ? Math.min(this.#cached.tokens, input) : 0;
    const keeps = input >= LEAST_CACHED;
    if (keeps) this.#cached = { tokens: input, until: this.at + CACHE_LASTS };
    const isApart = this.#anbieter === 'anthropic';
    const written = isApart && keeps ? input - read : 0;
    return {
      eingabe_token: isApart ? input - read - written : input,
      cache_lese_token: read,
      cache_schreib_token: written,
      ausgabe_token: output + thinking,
      ...(thinking > 0 ? { denk_token: thinking } : {}),
    };
  }
}
