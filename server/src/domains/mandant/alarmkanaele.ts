/** Where alarms go. Addresses of channels are secrets: stored sealed, shown by their host only. */
import type { Alarmkanaele, Static } from '#contracts';
import { recipientsOf } from '#domains/postausgang/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { SecretBox } from '#platform/secret-box.ts';

export const KANAELE = ['chatA_webhook', 'chatB_webhook', 'push_url', 'webhook_url'] as const;

/** Whole addresses, by channel. */
export type Adressen = Partial<Record<(typeof KANAELE)[number], string>>;

export interface Kanaele {
  email: string[];
  adressen: Adressen;
}

/** The channels as they are used; nothing set up is no channel at all. */
export async function readKanaele(tx: MandantTx, secrets: SecretBox): Promise<Kanaele> {
  const row = await tx.selectFrom('alarmkanaele').select(['email', 'adressen']).executeTakeFirst();
  if (!row) return { email: [], adressen: {} };
  return { email: row.email, adressen: JSON.parse(secrets.open(row.adressen).toString()) as Adressen };
}

/** Stores the channels, the addresses as one sealed object. */
export async function writeKanaele(
  tx: MandantTx,
  secrets: SecretBox,
  mandant: MandantId,
  { email, adressen }: Kanaele,
): Promise<void> {
  const row = { email, adressen: secrets.seal(Buffer.from(JSON.stringify(adressen))) };
  await tx
    .insertInto('alarmkanaele')
    .values({ mandant_id: mandant, ...row })
    .onConflict((conflict) => conflict.column('mandant_id').doUpdateSet(row))
    .execute();
}

const shown = (address: string | undefined): string | null =>
  address === undefined ? null : `${new URL(address).origin}/…`;

type Shown = Static<typeof Alarmkanaele>;

/** The channels as they may be shown. */
export const kanaeleToApi = ({ email, adressen }: Kanaele): Omit<Shown, 'empfaenger'> => ({
  email,
  chatA_webhook: shown(adressen.chatA_webhook),
  chatB_webhook: shown(adressen.chatB_webhook),
  push_url: shown(adressen.push_url),
  webhook_url: shown(adressen.webhook_url),
});

/** The same, with whether mail goes to each of the addresses. */
export const kanaeleWithRecipients = async (tx: MandantTx, kanaele: Kanaele): Promise<Shown> => ({
  ...kanaeleToApi(kanaele),
  empfaenger: await recipientsOf(tx, kanaele.email),
});
