import { expect, test } from 'vitest';
import { eventOf, exchangeOf } from '../test-exchange.ts';
import { toEvents } from '../to-events.ts';

const completion = (model: string) => ({
  id: 'c-1',
  created: 1_760_000_000,
  model,
  choices: [{ message: { content: 'x' } }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

test.each([
  [
    'Perplexity',
    'https://api.perplexity.ai/async/chat/completions',
    { id: 'a', status: 'CREATED', response: null },
    'https://api.perplexity.ai/async/chat/completions/a',
    { id: 'a', status: 'COMPLETED', response: completion('sonar-deep-research') },
  ],
  [
    'xAI',
    'https://api.x.ai/v1/chat/completions',
    { request_id: 'a' },
    'https://api.x.ai/v1/chat/deferred-completion/a',
    completion('grok-4'),
  ],
])(
  '%s: the answer counts once it is there, the same however often it is fetched',
  (_name, uri, begun, place, done) => {
    const request = { model: 'm', deferred: true };
    expect(toEvents(exchangeOf(uri, begun, request))).toEqual({ events: [], unconverted: [] });
    const fetched = { ...exchangeOf(place, done), method: 'GET' };
    expect(eventOf(fetched)).toMatchObject({ eingabe_token: 10, ausgabe_token: 5 });
    expect(eventOf(fetched).ereignis_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(eventOf(fetched)).toEqual(eventOf(fetched));
    const refused = exchangeOf(uri, { error: { code: 'rate_limit' } }, request, 429);
    expect(eventOf(refused)).toMatchObject({ modell: 'm', status: 'fehler', fehlercode: 'rate_limit' });
  },
);
