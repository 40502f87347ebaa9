/** Sends a message to the address of a channel, once. */
import type { AlarmKanal } from '#contracts';
import type { Sentence } from '#kernel/sentence.ts';
import type { Outbound } from '#platform/outbound.ts';
import type { ChannelRequest, Message } from './channels/message.ts';
import { ntfyRequest } from './channels/ntfy.ts';
import { slackRequest } from './channels/slack.ts';
import { teamsRequest } from './channels/teams.ts';
import { webhookRequest } from './channels/webhook.ts';
import { isFinal, type Outcome, retryAfterOf } from './rules.ts';
import type { Geheimnisse } from './signing.ts';

/** The channels that are addresses to send to. */
export type AddressedKanal = Exclude<AlarmKanal, 'email'>;

function requestOf(
  kanal: AddressedKanal,
  message: Message,
  geheimnisse: Geheimnisse | null,
  now: Date,
): ChannelRequest {
  switch (kanal) {
    case 'chatA_webhook':
      return slackRequest(message);
    case 'chatB_webhook':
      return teamsRequest(message);
    case 'push_url':
      return ntfyRequest(message);
    case 'webhook_url':
      return webhookRequest(message, geheimnisse, now);
  }
}

const TOO_SLOW: Sentence = {
  de: 'Der Empfänger hat nicht rechtzeitig geantwortet.',
  en: 'The receiver did not answer in time.',
};
/** One sentence for whatever stands in the way: it tells nothing of what the service can reach. */
const UNREACHABLE: Sentence = {
  de: 'Der Empfänger ist nicht zu erreichen.',
  en: 'The receiver cannot be reached.',
};
const REDIRECTED: Sentence = {
  de: 'Der Empfänger verweist auf eine andere Adresse; dorthin wird nicht zugestellt.',
  en: 'The receiver refers to another address; nothing is delivered there.',
};

const refused = (status: number): Sentence => ({
  de: `Der Empfänger hat mit ${status} geantwortet.`,
  en: `The receiver answered with ${status}.`,
});

const failed = (fehler: Sentence): Outcome => ({
  delivered: false,
  status: null,
  fehler,
  final: false,
  retryAfter: null,
});

/**
 * One attempt. Nothing but status and `Retry-After` is read of the answer; redirects are not followed, and after ten seconds it
 * is given up. Never rejects.
 */
export async function send(
  outbound: Outbound,
  address: string,
  kanal: AddressedKanal,
  message: Message,
  geheimnisse: Geheimnisse | null,
  now: Date,
): Promise<Outcome> {
  try {
    const { headers, body } = requestOf(kanal, message, geheimnisse, now);
    const response = await outbound.fetch(address, {
      method: 'POST',
      headers: { 'user-agent': 'Zaehlwerk', ...headers },
      body,
    });
    const { status, ok } = response;
    // However much there is of it.
    await response.body?.cancel().catch(() => undefined);
    if (ok) return { delivered: true, status };
    const fehler = status >= 300 && status < 400 ? REDIRECTED : refused(status);
    const retryAfter = retryAfterOf(response.headers.get('retry-after'), now);
    return { delivered: false, status, fehler, final: isFinal(status), retryAfter };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    return failed(isTimeout ? TOO_SLOW : UNREACHABLE);
  }
}
