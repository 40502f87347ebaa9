import type { Ereignis, Exchange } from './event.ts';
import { toEvents } from './to-events.ts';

/** An exchange for a test; an object becomes a JSON answer, a text is taken as the stream it is. */
export function exchangeOf(
  uri: string,
  answer: object | string,
  request: object = {},
  status = 200,
): Exchange {
  const isText = typeof answer === 'string';
  return {
    uri,
    request,
    status,
    contentType: isText ? 'text/event-stream' : 'application/json',
    body: isText ? answer : JSON.stringify(answer),
  };
}

/** The event of an exchange that is one call, no more, and nothing else. */
export function eventOf(exchange: Exchange, now?: Date): Ereignis {
  const { events, unconverted } = toEvents(exchange, now);
  const [event] = events;
  if (event === undefined || events.length > 1 || unconverted.length > 0)
    throw new Error(`${events.length} events, not converted: ${unconverted.join('; ')}`);
  return event;
}

/** A server-sent event stream of the objects, each named by its `type` where it has one. */
export function sse(...events: { type?: string; [key: string]: unknown }[]): string {
  return events
    .map(
      (event) =>
        `${event.type === undefined ? '' : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`,
    )
    .join('');
}

/** The event of a successful call about which nothing is known. */
export const BLANK: Ereignis = {
  zeitpunkt: null,
  anbieter: null,
  modell: null,
  eingabe_token: null,
  ausgabe_token: null,
  cache_lese_token: null,
  cache_schreib_token: null,
  denk_token: null,
  werkzeugaufrufe: 0,
  latenz_ms: null,
  status: 'erfolgreich',
  fehlercode: null,
  zusatz: null,
};
