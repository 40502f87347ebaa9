/** The exports that are known, by their columns; where these names are from: decision 0074. */
import type { Language, Sentence } from '#kernel/sentence.ts';

export type Column =
  | 'beginn'
  | 'ende'
  | 'betrag'
  | 'waehrung'
  | 'modell'
  | 'posten'
  | 'eingabe'
  | 'ausgabe'
  | 'cache_lese'
  | 'cache_schreib'
  | 'aufrufe';

export interface Format {
  anbieter: 'openai' | 'anthropic';
  art: 'kosten' | 'nutzung';
  /** Of each list one column must be there. */
  needs: string[][];
  /** What a column may be called; the first cell that is not empty is read, of `cache_schreib` all are added. */
  columns: Partial<Record<Column, string[]>>;
}

const OPENAI_TIME = ['start_time', 'start_time_iso', 'timestamp', 'date'];
const ANTHROPIC_TIME = ['usage_date_utc'];
const OPENAI_COSTS = ['amount_value', 'cost_in_major'];
const OPENAI_COUNTS = ['num_model_requests', 'n_requests', 'input_tokens', 'n_context_tokens_total'];
const ANTHROPIC_COUNTS = ['usage_input_tokens_no_cache', 'usage_output_tokens'];

/** In the order in which they are tried: none of them has what another one needs. */
const FORMATS: readonly Format[] = [
  {
    anbieter: 'anthropic',
    art: 'kosten',
    needs: [ANTHROPIC_TIME, ['cost_usd']],
    columns: { beginn: ANTHROPIC_TIME, betrag: ['cost_usd'], posten: ['model', 'cost_type'] },
  },
  {
    anbieter: 'anthropic',
    art: 'nutzung',
    needs: [ANTHROPIC_TIME, ANTHROPIC_COUNTS],
    columns: {
      beginn: ANTHROPIC_TIME,
      modell: ['model_version', 'model'],
      eingabe: ['usage_input_tokens_no_cache'],
      ausgabe: ['usage_output_tokens'],
      cache_lese: ['usage_input_tokens_cache_read'],
      cache_schreib: [
        'usage_input_tokens_cache_write',
        'usage_input_tokens_cache_write_5m',
        'usage_input_tokens_cache_write_1h',
      ],
    },
  },
  {
    anbieter: 'openai',
    art: 'kosten',
    needs: [OPENAI_TIME, OPENAI_COSTS],
    columns: {
      beginn: OPENAI_TIME,
      ende: ['end_time', 'end_time_iso'],
      betrag: OPENAI_COSTS,
      waehrung: ['amount_currency', 'currency'],
      posten: ['line_item', 'name'],
    },
  },
  {
    anbieter: 'openai',
    art: 'nutzung',
    needs: [OPENAI_TIME, OPENAI_COUNTS],
    columns: {
      beginn: OPENAI_TIME,
      ende: ['end_time', 'end_time_iso'],
      modell: ['model'],
      eingabe: ['input_tokens', 'n_context_tokens_total'],
      ausgabe: ['output_tokens', 'n_generated_tokens_total'],
      cache_lese: ['input_cached_tokens'],
      aufrufe: ['num_model_requests', 'n_requests'],
    },
  },
];

/** The format of a file with these heads (in lower case), null where it is none of them. */
export const formatOf = (heads: readonly string[]): Format | null =>
  FORMATS.find(({ needs }) => needs.every((names) => names.some((name) => heads.includes(name)))) ?? null;

const PROVIDERS = { openai: 'OpenAI', anthropic: 'Anthropic' } satisfies Record<Format['anbieter'], string>;
const KINDS = {
  kosten: { de: 'Kosten', en: 'costs' },
  nutzung: { de: 'Nutzung', en: 'usage' },
} satisfies Record<Format['art'], Sentence>;
const AND: Sentence = { de: ' und ', en: ' and ' };
const OR: Sentence = { de: ' oder ', en: ' or ' };

/** What each format is known by, in words, for those whose file is none. */
export function knownFormats(): Sentence {
  const told = (language: Language) =>
    FORMATS.map(
      ({ anbieter, art, needs }) =>
        `${KINDS[art][language]} (${PROVIDERS[anbieter]}): ${needs.map((names) => names.join(OR[language])).join(AND[language])}`,
    ).join('; ');
  return { de: told('de'), en: told('en') };
}
