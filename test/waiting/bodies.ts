/**
 * The batches in the files beside this one, as they waited in the inbox once, in the packed form that describes itself. They were made
 * by the code of their time and are never made anew; `way` says which of the two ways into the packed form they went.
 */

/** When all of them were received. */
export const RECEIVED = '2026-11-20T10:00:00.123Z';
export const RUN = '8f14e45f-ceea-467f-a0e6-9d2c4b1a7c11';
const id = (number: number) => `3f2a9c7e-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

const FULL = {
  ereignis_id: id(1),
  zeitpunkt: '2026-11-19T23:30:00.000001Z',
  anbieter: 'openai',
  modell: 'gpt-4o',
  agent: 'übersicht/🦊',
  lauf_id: RUN,
  schritt_nr: 1,
  eltern_span: '0123abcd-4567-89ef-0123-456789abcdef',
  eingabe_token: 1_000,
  ausgabe_token: 200,
  cache_lese_token: 300,
  cache_schreib_token: 40,
  denk_token: 50,
  werkzeugaufrufe: 6,
  latenz_ms: 700,
  erste_zeichen_ms: 80,
  status: 'fehler',
  fehlercode: 'zu viel',
  geschaetzt: true,
  prompt_fingerabdruck: '0123456789ABCDEF',
  werkzeug_fingerabdruck: 'fedcba9876543210',
  endkunde_ref: 'müller',
  funktion_ref: 'suche',
  benutzer_ref: 'ich',
  quelle: 'proxy',
  zusatz: { projekt: 'eigenes', eingabe_umfasst_cache: false, tief: [{ a: null, ü: '€' }] },
};

const NULLS = Object.fromEntries(
  Object.entries({ ...FULL, status: undefined, quelle: undefined, geschaetzt: undefined })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => [name, null]),
);

/** Events like few others; every field is missing in some of them. */
const sparse = (number: number) =>
  Object.fromEntries(
    Object.entries({
      ...FULL,
      ereignis_id: id(1_000 + number),
      zeitpunkt: new Date(Date.parse(RECEIVED) - 60_000 * number).toISOString(),
      agent: `agent-${number % 7}`,
      modell: number % 2 ? 'gpt-4o-mini' : 'gpt-4o',
      lauf_id: number % 3 ? RUN : id(900 + (number % 5)),
      schritt_nr: number,
      eingabe_token: 100 * number,
      status: number % 4 ? 'erfolgreich' : 'fehler',
      prompt_fingerabdruck: number.toString(16).padStart(16, '0'),
    }).filter(([name], position) => name === 'ereignis_id' || (number + position) % 11 !== 0),
  );

export interface Body {
  name: string;
  way: 'fast' | 'fallback';
  ereignisse: object[];
}

/** In the order in which they came. */
export const BODIES: readonly Body[] = [
  { name: 'full', way: 'fast', ereignisse: [FULL] },
  {
    name: 'escapes',
    way: 'fallback',
    ereignisse: [
      { ...FULL, ereignis_id: id(2), schritt_nr: 2, fehlercode: 'zu "viel"\n' },
      { schritt_nr: 3, anbieter: 'anthropic', modell: 'claude-sonnet-4-5', eingabe_token: 5 },
      { ...NULLS, schritt_nr: 4, ausgabe_token: Number.MAX_SAFE_INTEGER },
      { ereignis_id: id(3), schritt_nr: 5, agent: '', anbieter: '', endkunde_ref: '', zusatz: {} },
      { ereignis_id: id(3), schritt_nr: 6 },
      { schritt_nr: 7, lauf_id: RUN, status: '', quelle: '', funktion_ref: '', benutzer_ref: '' },
    ],
  },
  {
    name: 'empty-fields',
    way: 'fast',
    ereignisse: [
      { schritt_nr: 8 },
      { ...NULLS, schritt_nr: 9 },
      { schritt_nr: 10, agent: '', endkunde_ref: '', status: '', zusatz: {}, cache_lese_token: null },
      { ereignis_id: id(4), zeitpunkt: '0001-01-01T00:00:00Z', schritt_nr: 11 },
      { ereignis_id: id(5), zeitpunkt: '2024-02-29T12:00:00.5Z', schritt_nr: 12, lauf_id: RUN },
    ],
  },
  { name: 'many', way: 'fast', ereignisse: Array.from({ length: 300 }, (_, index) => sparse(index)) },
  { name: 'repeated', way: 'fast', ereignisse: [{ ...FULL, schritt_nr: 99 }] },
  { name: 'empty', way: 'fallback', ereignisse: [] },
];
