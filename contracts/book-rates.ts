/**
 * The rates that an entry of a price book can state: written down once. Fields of the entry, columns of its CSV, the form of the
 * cockpit and what counting multiplies follow from this list. All are in USD.
 */

interface BookRate {
  /** The key of the price list that it stands for. */
  key: string;
  /** For how many units the book states it. */
  per: number;
  /** Whether it prices tools that a call used beside all else: what the book leaves out then keeps the price of the list. */
  tool?: true;
  meaning: string;
}

const MILLION = 1_000_000;
const tokens = (key: string, meaning: string) => ({
  key: `${key}_mtok`,
  per: MILLION,
  meaning: `USD for a million ${meaning}.`,
});
const tool = (key: string, meaning: string) => ({
  key: `${key}_kcount`,
  per: 1,
  tool: true as const,
  meaning: `USD for ${meaning}.`,
});

export const BOOK_RATES = {
  eingabe: tokens('input', 'input tokens; what is said of special ones goes before'),
  ausgabe: tokens('output', 'output tokens; what is said of special ones goes before'),
  cache_lese: tokens('cache_read', 'tokens read from the cache; left out: as `eingabe`'),
  cache_schreib: tokens('cache_write', 'tokens written to the cache; left out: as `eingabe`'),
  cache_schreib_1h: tokens(
    'cache_write_1h',
    'tokens written to the cache for an hour; left out: as `cache_schreib`',
  ),
  denken: tokens('output_reasoning', 'reasoning tokens; left out: as `ausgabe`'),
  audio_eingabe: tokens('input_audio', 'input tokens of audio; left out: as `eingabe`'),
  audio_cache_lese: tokens('cache_audio_read', 'cached tokens of audio; left out: as `cache_lese`'),
  audio_ausgabe: tokens('output_audio', 'output tokens of audio; left out: as `ausgabe`'),
  bild_eingabe: tokens('input_image', 'input tokens of images; left out: as `eingabe`'),
  bild_cache_lese: tokens('cache_image_read', 'cached tokens of images; left out: as `cache_lese`'),
  bild_ausgabe: tokens('output_image', 'output tokens of images; left out: as `ausgabe`'),
  video_eingabe: tokens('input_video', 'input tokens of video; left out: as `eingabe`'),
  video_ausgabe: tokens('output_video', 'output tokens of video; left out: as `ausgabe`'),
  aufruf: { key: 'requests_kcount', per: 1, meaning: 'USD for a call, whatever it uses.' },
  sekunde: {
    key: 'input_audio_hours',
    per: 1,
    meaning: 'USD for a second of those that the call says it used (`sekunden`).',
  },
  zeichen: {
    key: 'input_mchars',
    per: MILLION,
    meaning: 'USD for a million characters.',
  },
  seite: { key: 'input_document_kpages', per: 1, meaning: 'USD for a page.' },
  bild: { key: 'output_images_kcount', per: 1, meaning: 'USD for an image.' },
  websuche: tool('web_searches', 'a web search'),
  dateisuche: tool('storage_searches', 'a search in stored files'),
  codeausfuehrung: tool('code_executions', 'an execution of code'),
  reranksuche: tool('rerank_searches', 'a search that ranks'),
  zitat: { ...tokens('output_citation', 'tokens of citations'), tool: true as const },
} as const satisfies Record<string, BookRate>;

export type BookRateName = keyof typeof BOOK_RATES;
export const BOOK_RATE_NAMES = Object.keys(BOOK_RATES) as BookRateName[];
