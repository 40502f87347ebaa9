import type { AddressInfo } from 'node:net';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, registerAccount } from '#test/account.ts';
import { handOnTold } from '#test/otlp-hand-on.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { HOLD } from './limits.ts';

/** `SpanStatusCode.ERROR`. */
const ERROR = 2;

let service: TestService;
let address: string;
beforeAll(async () => {
  service = await startService();
  service.clock.set(new Date().toISOString());
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  address = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
});
afterAll(() => service?.stop());

type Make = (options: { url: string; headers: Record<string, string>; compression: 'gzip' }) => SpanExporter;

test.each([
  ['Protocol Buffers', (options) => new ProtobufExporter(options as never)],
  ['JSON', (options) => new JsonExporter(options as never)],
] as [string, Make][])('OpenTelemetry’s own exporter, %s', async (_name, make) => {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account, ['Senden']);
  const headers = { Authorization: `Bearer ${secret}` };
  const exporter = make({ url: `${address}/v1/traces`, headers, compression: 'gzip' });
  const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
  const tracer = provider.getTracer('library', '1.2.3');
  const call = (model: string) =>
    tracer.startSpan(`chat ${model}`, {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': model,
        'user.id': 'u-1',
        customer: 'acme',
      },
    });
  const good = call('gpt-4o-mini');
  good.setAttributes({ 'gen_ai.usage.input_tokens': 1_210, 'gen_ai.usage.output_tokens': 341 });
  good.end();
  const bad = call('gpt-4o');
  bad.setAttribute('error.type', 'RateLimitError');
  bad.setStatus({ code: ERROR });
  bad.end();
  await provider.shutdown();

  const later = new Date(service.clock.now().getTime() + HOLD + 1_000);
  await handOnTold(service, account.mandantId, later);
  await countAll(service);
  const events = await service.sql('SELECT * FROM ereignisse WHERE mandant_id = $1 ORDER BY modell DESC', [
    account.mandantId,
  ]);
  const common = { endkunde_ref: 'acme', benutzer_ref: 'u-1', quelle: 'otlp', anbieter: 'openai' };
  expect(events).toMatchObject([
    { ...common, modell: 'gpt-4o-mini', eingabe_token: 1_210, ausgabe_token: 341, status: 'erfolgreich' },
    {
      ...common,
      modell: 'gpt-4o',
      eingabe_token: null,
      status: 'fehlgeschlagen',
      fehlercode: 'RateLimitError',
    },
  ]);
  expect(events[0]?.zusatz).toMatchObject({ bibliothek: 'library', bibliothek_version: '1.2.3' });
});
