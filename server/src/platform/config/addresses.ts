/** Where the service listens, by which names it is called, and whom it believes. */
import { emailProblem, normaliseEmail } from '#kernel/email.ts';
import { parseNetwork } from '../outbound.ts';
import { type Env, fail, listOf, read } from './read.ts';

export function toPort(name: string, text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) fail(name, `„${text}“ ist keine Portnummer von 0 bis 65535.`);
  return port;
}

export const LOOPBACK = '127.0.0.1';

export function parseMetrics(env: Env): { port: number; host: string } | null {
  const port = read(env, 'METRICS_PORT');
  const host = read(env, 'METRICS_HOST');
  if (port === undefined)
    return host === undefined ? null : fail('METRICS_HOST', 'Gilt nur zusammen mit METRICS_PORT.');
  return { port: toPort('METRICS_PORT', port), host: host ?? LOOPBACK };
}

/** Checked as networks, handed on as text: the HTTP kit has its own reader, and threads get copies of plain values only. */
export function parseNetworks(env: Env, name: string): string[] {
  const texts = listOf(env, name);
  for (const text of texts)
    if (parseNetwork(text) === null) fail(name, `„${text}“ ist kein Netz wie 10.0.0.0/8.`);
  return texts;
}

/** Names as they stand in a `Host` header, without a port. */
export function parseHosts(env: Env, name: string): string[] {
  return listOf(env, name).map((text) => {
    const host = text.toLowerCase();
    return /^[\w-]+(\.[\w-]+)*$/.test(host)
      ? host
      : fail(name, `„${text}“ ist kein Name wie zaehlwerk.intern.`);
  });
}

export function parseEmails(env: Env, name: string): string[] {
  return listOf(env, name).map((text) =>
    emailProblem(text) === null
      ? normaliseEmail(text).toLowerCase()
      : fail(name, `„${text}“ ist keine E-Mail-Adresse.`),
  );
}
