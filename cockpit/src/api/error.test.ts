import { describe, expect, it } from 'vitest';
import { toApiError } from './error.ts';

const read = (status: number, body: unknown, retryAfter: string | null = null) =>
  toApiError({ status, body, retryAfter, bySession: true });

describe('toApiError', () => {
  it('reads a sentence with its code', () => {
    const error = read(409, { detail: 'Schon vergeben.', code: 'email_vergeben' });
    expect(error).toMatchObject({
      status: 409,
      code: 'email_vergeben',
      detail: 'Schon vergeben.',
      faults: [],
    });
  });

  it('reads the faults of a 422 with their bounds', () => {
    const fault = { loc: ['body', 'passwort'], msg: 'm', type: 'string_too_short', ctx: { min_length: 10 } };
    expect(read(422, { detail: [fault] }).faults).toEqual([fault]);
  });

  it('reads how long to wait', () => {
    expect(read(429, { detail: 'x', code: 'y' }, '30').retryAfter).toBe(30);
    expect(read(429, null, 'Wed, 21 Oct 2026 07:28:00 GMT').retryAfter).toBeNull();
  });

  it('knows a lost session from a refused key', () => {
    expect(read(401, null).sessionLost).toBe(true);
    expect(read(401, { detail: 'x', code: 'nicht_angemeldet' }).sessionLost).toBe(true);
    expect(read(401, { detail: 'x', code: 'anmeldung_falsch' }).sessionLost).toBe(false);
    expect(read(403, null).sessionLost).toBe(false);
    expect(toApiError({ status: 401, body: null, retryAfter: null, bySession: false }).sessionLost).toBe(
      false,
    );
  });

  it.each([null, 'text', [], { detail: 7 }, { detail: [7, {}] }])('copes with %j', (body) => {
    expect(read(502, body)).toMatchObject({ status: 502, code: 'http_502', detail: '', faults: [] });
  });
});
