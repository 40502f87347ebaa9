/**
 * One call of a model, as POST /v1/ereignisse takes it. Every field is optional; `null` says "unknown", which is not
 * the same as 0. Counts are tokens as the provider sent them, times are milliseconds, `zeitpunkt` is ISO 8601.
 */
export interface Ereignis {
  ereignis_id?: string | null;
  zeitpunkt?: string | null;
  anbieter?: string | null;
  modell?: string | null;
  agent?: string | null;
  lauf_id?: string | null;
  schritt_nr?: number | null;
  eltern_span?: string | null;
  eingabe_token?: number | null;
  ausgabe_token?: number | null;
  cache_lese_token?: number | null;
  cache_schreib_token?: number | null;
  denk_token?: number | null;
  werkzeugaufrufe?: number | null;
  latenz_ms?: number | null;
  erste_zeichen_ms?: number | null;
  status?: string;
  fehlercode?: string | null;
  geschaetzt?: boolean;
  prompt_fingerabdruck?: string | null;
  werkzeug_fingerabdruck?: string | null;
  endkunde_ref?: string | null;
  funktion_ref?: string | null;
  benutzer_ref?: string | null;
  quelle?: string;
  zusatz?: Record<string, unknown> | null;
}

/** One HTTP exchange with a model provider, recorded or live. */
export interface Exchange {
  /** Full address of the request; the path alone is enough where the shape shows in it. */
  uri: string;
  /** Parsed JSON body of the request. */
  request: unknown;
  /** HTTP status of the answer. */
  status: number;
  contentType: string;
  /** The answer as text; for a stream everything that came, unparsed. */
  body: string;
  latenzMs?: number;
  /** When the call began, ISO 8601; taken from the answer where missing. */
  zeitpunkt?: string;
}
