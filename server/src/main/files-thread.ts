/** Entry of the thread that reads files that come as text in a body; apart from that of batches, which must not wait for them. */
import { parentPort } from 'node:worker_threads';
import { nutzungBody } from '#domains/abgleich/index.ts';
import { preiseBody } from '#domains/preise/index.ts';
import { endkundenBody } from '#domains/weiterbelastung/index.ts';
import { readAside } from '#http/index.ts';

if (!parentPort) throw new Error('runs as a worker thread only');
readAside(parentPort, [endkundenBody, nutzungBody, preiseBody]);
