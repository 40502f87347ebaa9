/** A generation within a span, told by Langfuse's library for JavaScript: `by-langfuse.mjs <folder of the libraries> <address> <key>`. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [, , folder, baseUrl, secretKey] = process.argv;
const { resolve } = createRequire(`${folder}/package.json`);
const load = (name) => import(pathToFileURL(resolve(name)).href).then((module) => module.default ?? module);
const { NodeTracerProvider } = await load('@opentelemetry/sdk-trace-node');
const { LangfuseSpanProcessor } = await load('@langfuse/otel');
const { setLangfuseTracerProvider, startActiveObservation } = await load('@langfuse/tracing');

const processor = new LangfuseSpanProcessor({ publicKey: 'pk-lf-any', secretKey, baseUrl });
const provider = new NodeTracerProvider({ spanProcessors: [processor] });
provider.register();
setLangfuseTracerProvider(provider);
await startActiveObservation('support', async (span) => {
  const generation = span.startObservation('answer', { model: 'gpt-4o-mini' }, { asType: 'generation' });
  generation.update({
    input: 'What is a canary?',
    output: 'A bird.',
    usageDetails: { input: 21, cache_read_input_tokens: 2560, output: 40 },
  });
  generation.end();
});
await processor.forceFlush();
await provider.shutdown();
