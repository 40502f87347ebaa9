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

  it('answers 503 while the service is about to stop, and takes what still comes', async () => {
    const leaving = new AbortController();
    service.context.leaving = leaving.signal;
    expect((await health()).statusCode).toBe(200);
    leaving.abort();
    const answer = await health();
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ status: 'gestört', datenbank: 'ok', annahme: 'ok' });
    expect((await service.app.inject({ url: '/v1/status' })).statusCode).toBe(200);
    delete service.context.leaving;
  });
});
