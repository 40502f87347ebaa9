import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService, withoutDatabase } from '#test/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const health = () => service.app.inject({ url: '/v1/gesund' });

describe('GET /v1/gesund', () => {
  it('needs no credentials and says that all is well', async () => {
    const answer = await health();
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ status: 'ok', datenbank: 'ok', annahme: 'ok', version: '0.1.0' });
  });

  it('answers 503 while the database is away, and recovers', async () => {
    const answer = await withoutDatabase(service, health);
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({
      status: 'gestört',
      datenbank: 'gestört',
      annahme: 'gestört',
      version: '0.1.0',
    });
    expect((await health()).statusCode).toBe(200);
  });
});
