/** A program that sends OpenTelemetry is counted at every door: each call once, no word of a prompt kept. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, request } from '#test/outside-account.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';

let service: ServiceProcess;
beforeAll(async () => {
  service = createServiceProcess();
  await service.start();
});
afterAll(() => service?.dispose());

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const nanoseconds = (milliseconds: number) => `${milliseconds}000000`;

const call = () => [
  attribute('gen_ai.operation.name', 'chat'),
  attribute('gen_ai.provider.name', 'openai'),
  attribute('gen_ai.request.model', 'gpt-4o-mini'),
  attribute('gen_ai.response.id', 'chatcmpl-CeXvq2N0mTz5b8aQwErTyUiOpAsDf'),
  attribute('gen_ai.usage.input_tokens', '1210'),
  attribute('gen_ai.usage.output_tokens', '341'),
];

const SPANS = ['/v1/otlp/v1/traces', '/v1/traces', '/api/public/otel/v1/traces', '/otel/v1/traces'];
const LOGS = ['/v1/otlp/v1/logs', '/v1/logs'];
const METRICS = ['/v1/otlp/v1/metrics', '/v1/metrics'];

test('a call that nothing else stands around is counted', async () => {
  const account = await createAccount(service);
  const now = Date.now();
  const span = {
    traceId: 'c'.repeat(32),
    spanId: 'd'.repeat(16),
    name: 'chat',
    startTimeUnixNano: nanoseconds(now - 1_000),
    endTimeUnixNano: nanoseconds(now),
    attributes: call(),
  };
  const answer = await request(`${service.address()}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': account.key },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
  });
  expect(answer.status).toBe(200);
  await expect.poll(() => account.counted()).toBe(1);
});

test('one call told at every door is one call', async () => {
  const account = await createAccount(service);
  const post = async (path: string, body: object) => {
    const answer = await request(`${service.address()}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': account.key },
      body: JSON.stringify(body),
    });
    expect([path, answer.status, answer.text]).toEqual([path, 200, '{}']);
  };
  const now = Date.now();
  const times = { startTimeUnixNano: nanoseconds(now - 1_000), endTimeUnixNano: nanoseconds(now) };
  const span = {
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    name: 'chat',
    ...times,
    attributes: call(),
  };
  for (const path of SPANS) await post(path, { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const details = attribute('event.name', 'gen_ai.client.inference.operation.details');
  const record = { timeUnixNano: nanoseconds(now), attributes: [details, ...call()] };
  for (const path of LOGS) await post(path, { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] });
  for (const path of METRICS) await post(path, { resourceMetrics: [] });
  await post('/v1/traces/ingest', { data: [] });
  expect((await request(`${service.address()}/info`)).status).toBe(200);

  await expect.poll(() => account.counted()).toBe(1);
  const { summe } = await account.verbrauch();
  expect(summe).toMatchObject({ aufrufe: 1, eingabe_token: 1_210, ausgabe_token: 341 });
});
