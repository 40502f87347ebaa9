import { builtin } from './builtin.ts';

/** Where events wait that cannot be delivered: one place for each service and key; null where there is no disk of one's own. */
export function defaultDirectory(baseUrl: string, key: string): string | null {
  const [os, crypto] = [builtin('node:os'), builtin('node:crypto')];
  // Its disk is the memory of one request.
  const isWorker = globalThis.navigator?.userAgent === 'Cloudflare-Workers';
  if (os === undefined || crypto === undefined || isWorker) return null;
  const hash = crypto.createHash('sha256').update(`${baseUrl}\n${key}`).digest('hex').slice(0, 16);
  return `${os.tmpdir()}/zaehlwerk-${hash}`;
}
