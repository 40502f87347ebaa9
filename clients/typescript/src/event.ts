import type { EreignisEingang, Static } from '#contracts';

/**
 * One call of a model, as POST /v1/ereignisse takes it. Every field is optional; `null` says "unknown", which is not
 * the same as 0. Counts are tokens as the provider sent them, times are milliseconds, `zeitpunkt` is ISO 8601.
 */
export type Ereignis = Static<typeof EreignisEingang>;

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
  latenzMs?: number;
  /** When the call began, ISO 8601; taken from the answer where missing. */
  zeitpunkt?: string;
}
