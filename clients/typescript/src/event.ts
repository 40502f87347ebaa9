/**
 * One call of a model, as POST /v1/ereignisse takes it. Every field is optional; `null` says "unknown", which is not
 * the same as 0. Counts are tokens as the provider sent them, times are milliseconds.
 */
export interface Ereignis {
  /** UUID. Of several events with the same id only the first is counted. */
  ereignis_id?: string | null;
  /** When the call was made, ISO 8601. */
  zeitpunkt?: string | null;
  /** Provider of the model. */
  anbieter?: string | null;
  /** Model, as its provider calls it. */
  modell?: string | null;
  /** Key of the agent; what stands before a slash is its project. */
  agent?: string | null;
  /** UUID of the run. */
  lauf_id?: string | null;
  schritt_nr?: number | null;
  /** UUID of the step that made the call. */
  eltern_span?: string | null;
  eingabe_token?: number | null;
  ausgabe_token?: number | null;
  cache_lese_token?: number | null;
  cache_schreib_token?: number | null;
  denk_token?: number | null;
  /** Calls of tools that the model asked for. */
  werkzeugaufrufe?: number | null;
  latenz_ms?: number | null;
  /** How long until the first characters of the answer came. */
  erste_zeichen_ms?: number | null;
  /** Every status but `erfolgreich` is a failure. */
  status?: string;
  fehlercode?: string | null;
  /** Whether the tokens are estimates. */
  geschaetzt?: boolean;
  /** 16 hex characters. */
  prompt_fingerabdruck?: string | null;
  werkzeug_fingerabdruck?: string | null;
  endkunde_ref?: string | null;
  funktion_ref?: string | null;
  benutzer_ref?: string | null;
  quelle?: string;
  /** Free data; some keys say how to count and what the price depends on (README). */
  zusatz?: Record<string, unknown> | null;
}

/** One HTTP exchange with a model provider, recorded or live. */
export interface Exchange {
  /** HTTP method of the request, POST where missing. What is only read is no call of a model. */
  method?: string;
  /** Full address of the request; the path alone is enough where the shape shows in it. */
  uri: string;
  /** Parsed JSON body of the request; of a form (transcriptions) its text fields as an object. */
  request: unknown;
  /** HTTP status of the answer. */
  status: number;
  contentType: string;
  /** The answer as text; for a stream everything that came, unparsed. Of audio or images '' is enough. */
  body: string;
  /** The id that the headers of the answer give it, where its body has none (Bedrock: `x-amzn-requestid`). */
  requestId?: string;
  /** Headers of the answer by their names in lower case; some providers name the call there. */
  headers?: Record<string, string>;
  /** Whether the caller or the connection ended the answer before its end. What the provider had not counted yet is estimated. */
  aborted?: boolean;
  latenzMs?: number;
  /** When the call began, ISO 8601; taken from the answer where missing. */
  zeitpunkt?: string;
}
