/** The second factor as a user's app has it. */
import { Secret, TOTP } from 'otpauth';
import { type Account, cookieOf } from './account.ts';
import type { TestService } from './service.ts';

/** The code an app shows at that time; `steps` later or earlier by half minutes. */
export const codeFor = (seed: string, at: Date, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(seed) }).generate({ timestamp: at.getTime() + steps * 30_000 });

/** The codes of that time and of the two half minutes before and after it; now and then two of them are the same. */
export const codesAround = (seed: string, at: Date): string[] =>
  [-2, -1, 0, 1, 2].map((steps) => codeFor(seed, at, steps));

/** The first time from then on, by five minutes, around which all codes are different. */
export function timeOfDistinctCodes(seed: string, from: Date): Date {
  let at = from;
  while (new Set(codesAround(seed, at)).size < 5) at = new Date(at.getTime() + 300_000);
  return at;
}

/** A code that is wrong at that time and around it. */
export function wrongCodeFor(seed: string, at: Date): string {
  const right = codesAround(seed, at);
  return ['111111', '222222', '333333', '444444', '555555', '666666'].find(
    (code) => !right.includes(code),
  ) as string;
}

export const secondFactorRequest = (service: TestService, cookie: string, path: string, payload?: object) =>
  service.app.inject({
    method: path === '' ? 'DELETE' : 'POST',
    url: `/v1/cockpit/2fa${path}`,
    headers: { cookie },
    ...(payload ? { payload } : {}),
  });

/** Begins and confirms; resolves with the seed and the recovery codes. The code of the moment is used up by it; the account has its new cookie. */
export async function enableSecondFactor(
  service: TestService,
  account: Account,
): Promise<{ seed: string; codes: string[] }> {
  const seed = (await secondFactorRequest(service, account.cookie, '/einrichten')).json().geheimnis;
  const code = codeFor(seed, service.clock.now());
  const answer = await secondFactorRequest(service, account.cookie, '/bestaetigen', { code });
  account.cookie = cookieOf(answer);
  return { seed, codes: answer.json().wiederherstellungscodes };
}
