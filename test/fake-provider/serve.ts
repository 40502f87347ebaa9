/** `node test/fake-provider/serve.ts --port n`: the fake providers as a program of their own; it says where it listens, and ends with its input or a signal. */
import { parseArgs } from 'node:util';
import { startFakeProvider } from './index.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const provider = await startFakeProvider(Number(values.port));
console.log(`fake providers at ${new URL(provider.url('')).origin}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void provider.stop());
