/** How mail is sent and packages are paid. */
import { type Env, fail, parseUrl, read } from './read.ts';

export interface Stripe {
  secretKey: string;
  webhookSecret: string;
  apiBase: string | null;
}

export function parseStripe(env: Env): Stripe | null {
  const secretKey = read(env, 'STRIPE_SECRET_KEY');
  const webhookSecret = read(env, 'STRIPE_WEBHOOK_SECRET');
  const apiBase = parseUrl(env, 'STRIPE_API_BASE', ['http:', 'https:']);
  if (secretKey === undefined && webhookSecret === undefined) return null;
  if (secretKey === undefined)
    return fail('STRIPE_SECRET_KEY', 'Fehlt, obwohl STRIPE_WEBHOOK_SECRET gesetzt ist.');
  if (webhookSecret === undefined)
    return fail('STRIPE_WEBHOOK_SECRET', 'Fehlt, obwohl STRIPE_SECRET_KEY gesetzt ist.');
  return { secretKey, webhookSecret, apiBase };
}

export function parseMailFrom(env: Env): string {
  const text = read(env, 'MAIL_FROM') ?? 'Zählwerk <zaehlwerk@localhost>';
  if (/[\r\n]/.test(text) || !/@/.test(text))
    return fail('MAIL_FROM', 'Erwartet wird ein Absender wie „Zählwerk <zaehlwerk@example.org>“.');
  return text;
}
