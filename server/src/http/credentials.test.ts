/** The access of operators, at an operation made for this test: a real one would bring a slice with it. */

import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { component, field, operation, text } from '#contracts';
import { mandantId } from '#kernel/mandant-id.ts';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import type { SessionPrincipal } from '#platform/principal.ts';
import { createApp } from './app.ts';
import { route } from './route.ts';

const change = operation({
  id: 'betreiber.pruefen',
  method: 'POST',
  path: '/v1/betreiber/pruefen',
  summary: 'Sagt, welcher Betreiber fragt.',
  description: 'Says which operator asks.',
  access: { kind: 'operator' },
  response: component('Betreiber', 'Who asks.', { email: field(text(), 'Address.') }),
});

const USERS: Record<string, Pick<SessionPrincipal, 'betreiber' | 'zweiterFaktor' | 'rechte'>> = {
  operator: { betreiber: true, zweiterFaktor: true, rechte: [] },
  'operator without second factor': { betreiber: true, zweiterFaktor: false, rechte: [] },
  inhaber: { betreiber: false, zweiterFaktor: true, rechte: ['selbst', 'konto.kuendigen'] },
};

const principalOf = (name: string): SessionPrincipal | null => {
  const user = USERS[name];
  if (!user) return null;
  const id = '00000000-0000-4000-8000-000000000001';
  return {
    ...user,
    kind: 'session',
    mandant: mandantId(id),
    benutzerId: id,
    sitzungId: id,
    email: `${name.replaceAll(' ', '-')}@example.org`,
    name: null,
    rolle: 'inhaber',
    firma: 'Muster GmbH',
    paket: 'frei',
    zeitzone: 'Europe/Berlin',
  };
};

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

async function ask(production: boolean, user: string | null, headers: Record<string, string> = {}) {
  app = await createApp({
    log: createLog('fatal'),
    metrics: createMetrics(),
    routes: [route(change, async ({ principal }) => ({ email: principal.email }))],
    authenticator: { key: async () => null, session: async (token) => principalOf(token) },
    production,
    baseUrl: () => 'http://localhost',
    trustedProxies: [],
    version: '0',
    cockpitDir: null,
  });
  const name = production ? '__Host-zw_sitzung' : 'zw_sitzung';
  const cookies: Record<string, string> = user === null ? {} : { [name]: user };
  const answer = await app.inject({ method: change.method, url: change.path, cookies, headers });
  return [answer.statusCode, answer.json().code ?? answer.json().email];
}

describe.each([
  ['at a machine for trying out', false],
  ['in production', true],
])('an operation of operators %s', (_where, production) => {
  it('admits an operator with a second factor', async () => {
    expect(await ask(production, 'operator')).toEqual([200, 'operator@example.org']);
  });

  it.each([null, 'nobody'])('answers 401 without a session: %s', async (user) => {
    expect(await ask(production, user)).toEqual([401, 'nicht_angemeldet']);
  });

  it('answers 403 to everybody else, whatever their rights', async () => {
    expect(await ask(production, 'inhaber')).toEqual([403, 'verboten']);
  });

  it('takes no change that a foreign page asks for', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(await ask(production, 'operator', headers)).toEqual([403, 'fremde_herkunft']);
  });

  it('wants a second factor in production only', async () => {
    const expected = production
      ? [403, 'zweiter_faktor_noetig']
      : [200, 'operator-without-second-factor@example.org'];
    expect(await ask(production, 'operator without second factor')).toEqual(expected);
  });
});
