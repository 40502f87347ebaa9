/** Entry of the thread that reads large and packed batches, so that reading them never holds up the event loop of the API. */
import { parentPort } from 'node:worker_threads';
import { annehmenAside } from '#domains/ereignisse/index.ts';
import { otlpAside } from '#domains/otlp/index.ts';
import { readAside } from '#http/index.ts';

if (!parentPort) throw new Error('runs as a worker thread only');
readAside(parentPort, [annehmenAside(), ...otlpAside()]);
