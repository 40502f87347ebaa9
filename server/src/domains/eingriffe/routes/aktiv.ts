import { eingriffeAktiv } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { InForce } from '../in-force.ts';
import { readAktiv } from '../service.ts';

export const aktivRoute = ({ secrets }: ServiceContext, inForce: InForce) =>
  route(eingriffeAktiv, async ({ principal, query, header, reply }) => {
    // Who has gone waits for nothing.
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const known = header['if-none-match'];
    const { answer, etag } = await readAktiv(inForce, principal, query, known, gone.signal);
    reply.header('etag', etag);
    const key = secrets.derive('fingerprints', principal.mandant).toString('hex');
    return { ...answer, fingerabdruck_schluessel: key };
  });
