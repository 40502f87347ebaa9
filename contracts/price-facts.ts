/**
 * The well-known keys of an event's `zusatz`: what the price of a call depends on besides its counts. Other keys are the
 * sender's own. All may be left out; null is unknown. Data only, as the fields of an event are.
 */
import type { SentNameOf } from './event-fields.ts';

/** A text; a whole number from 0 to 2^53 - 1; an exact decimal from 0 on, as text or number; yes or no. */
export type FactKind = 'text' | 'count' | 'decimal' | 'flag';

export interface PriceFact {
  kind: FactKind;
  /** Texts: at most this many code points. */
  max?: number;
  /** The count it is a part of: all parts of one name together are not more. */
  partOf?: SentNameOf<'count'>;
  /** For developers: the description in the document. */
  meaning: string;
}

const usesOf = (tool: string) => ({
  kind: 'count' as const,
  meaning: `How often the provider's own ${tool}, as it bills it.`,
});

export const PRICE_FACTS = {
  preisstufe: {
    kind: 'text',
    max: 40,
    meaning:
      'Tier the provider really used: `batch`, `flex`, `priority`, `fast`; `default`, `standard`, `auto` and `on_demand` are the usual one.',
  },
  region: {
    kind: 'text',
    max: 40,
    meaning:
      'Where the inference was bound to, when that has a price of its own, such as `us` or `eu`; `global` has none.',
  },
  cache_schreib_1h_token: {
    kind: 'count',
    partOf: 'cache_schreib_token',
    meaning: 'Of `cache_schreib_token` those that are kept for an hour.',
  },
  audio_eingabe_token: {
    kind: 'count',
    partOf: 'eingabe_token',
    meaning: 'Of the input, cached tokens included, those of audio.',
  },
  bild_eingabe_token: {
    kind: 'count',
    partOf: 'eingabe_token',
    meaning: 'Of the input, cached tokens included, those of images.',
  },
  video_eingabe_token: {
    kind: 'count',
    partOf: 'eingabe_token',
    meaning: 'Of the input, cached tokens included, those of video.',
  },
  audio_cache_lese_token: {
    kind: 'count',
    partOf: 'cache_lese_token',
    meaning: 'Of `cache_lese_token` those of audio.',
  },
  bild_cache_lese_token: {
    kind: 'count',
    partOf: 'cache_lese_token',
    meaning: 'Of `cache_lese_token` those of images.',
  },
  audio_ausgabe_token: {
    kind: 'count',
    partOf: 'ausgabe_token',
    meaning: 'Of `ausgabe_token` those of audio.',
  },
  bild_ausgabe_token: {
    kind: 'count',
    partOf: 'ausgabe_token',
    meaning: 'Of `ausgabe_token` those of images.',
  },
  video_ausgabe_token: {
    kind: 'count',
    partOf: 'ausgabe_token',
    meaning: 'Of `ausgabe_token` those of video.',
  },
  laengste_eingabe_token: {
    kind: 'count',
    meaning:
      'Tokens of the longest prompt, cached ones included, where the input is the sum of several (tools on the side of the provider): prices of long contexts go by it. Unsaid, and with searches or executions of code told: see `eingabe_ist_summe`.',
  },
  eingabe_ist_summe: {
    kind: 'flag',
    meaning:
      'Whether the input is the sum of several prompts whose longest nobody knows: beyond the limit of a price for long contexts the call has the lower price, as part of its cost. Where it is missing: yes with web searches, file searches or code executions, except for Gemini.',
  },
  zitat_token: { kind: 'count', meaning: 'Tokens of citations, beside the output.' },
  websuchen: usesOf('web search was used'),
  dateisuchen: usesOf('search in stored files was used'),
  codeausfuehrungen: usesOf('execution of code was used'),
  reranksuchen: usesOf('ranking was asked, in searches'),
  zeichen: { kind: 'count', meaning: 'Characters of a text that was spoken.' },
  sekunden: { kind: 'decimal', meaning: 'Seconds of audio that were transcribed.' },
  seiten: { kind: 'count', meaning: 'Pages that were read.' },
  bilder: { kind: 'count', meaning: 'Images, where they are billed by the piece.' },
  gemeldete_kosten_usd: {
    kind: 'decimal',
    meaning:
      'What the provider itself says the call cost in USD. It is the cost where the price book says so (`gemeldete_kosten`), else only kept.',
  },
  eingabe_umfasst_cache: {
    kind: 'flag',
    meaning:
      'Whether `eingabe_token` includes cached tokens. Unsaid: yes, but for Anthropic, and for its models where no provider, Amazon, Google or Azure is named. Where more are cached than `eingabe_token` says, they cannot be within it and are taken to be beside it; senders that count so say so with each call.',
  },
  ausgabe_umfasst_denken: {
    kind: 'flag',
    meaning:
      'Whether `ausgabe_token` includes `denk_token`. Unsaid: yes, but for Google, and for Gemini where no provider is named.',
  },
} as const satisfies Record<string, PriceFact>;

export type PriceFactName = keyof typeof PRICE_FACTS;

/** The names of one kind. */
export type PriceFactOf<Kind extends FactKind> = {
  [Name in PriceFactName]: (typeof PRICE_FACTS)[Name]['kind'] extends Kind ? Name : never;
}[PriceFactName];
