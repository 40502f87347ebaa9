/** Calls as an account sends them, of which a test names only what it is about. */
import { expect } from 'vitest';
import { type Account, createKey } from './account.ts';
import type { TestService } from './service.ts';

export interface PlainCall {
  anbieter?: string | null;
  agent?: string;
  modell?: string;
  zeitpunkt?: string;
  endkunde_ref?: string;
  status?: string;
  geschaetzt?: boolean;
  /** Of input; ten million unless said otherwise. */
  token?: number;
}

/** Unless said otherwise gpt-4o-mini at 0.15 USD per million: 1.5 USD. */
export async function sendPlainCalls(
  service: TestService,
  account: Account,
  calls: PlainCall[],
): Promise<void> {
  const { secret } = await createKey(service, account);
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: {
      ereignisse: calls.map(({ token = 10_000_000, ...rest }) => ({
        agent: 'support/triage',
        anbieter: 'openai',
        modell: 'gpt-4o-mini',
        zeitpunkt: '2026-10-10T10:00:00Z',
        eingabe_token: token,
        ausgabe_token: 0,
        ...rest,
      })),
    },
  });
  expect(answer.statusCode, answer.body).toBe(202);
}
