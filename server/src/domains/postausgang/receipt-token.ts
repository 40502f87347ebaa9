/**
 * Links by which the owner of a mailbox says whether mail may go there. They are sealed under the key of the installation and name
 * what they are about: nothing is stored that a stolen database could be read for, and one from years ago still stops mail.
 */
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import type { SecretBox } from '#platform/secret-box.ts';

export type EmpfangArt = 'alarm' | 'abrechnung';

export interface ReceiptToken {
  mandant: MandantId;
  art: EmpfangArt;
  adresse: string;
  /** When it ends, in seconds since 1970; null for one that stays. */
  bis: number | null;
}

const ARTEN: EmpfangArt[] = ['alarm', 'abrechnung'];
/** In front, so that nothing else that is sealed under the key reads as a link. */
const MARK = Buffer.from('post1');

export function sealReceipt(secrets: SecretBox, { mandant, art, adresse, bis }: ReceiptToken): string {
  const head = Buffer.alloc(5);
  head.writeUInt8(ARTEN.indexOf(art), 0);
  head.writeUInt32BE(bis ?? 0, 1);
  const id = Buffer.from(mandant.replaceAll('-', ''), 'hex');
  return secrets.seal(Buffer.concat([MARK, head, id, Buffer.from(adresse)])).toString('base64url');
}

function unsealed(secrets: SecretBox, token: string): Buffer | null {
  try {
    return secrets.open(Buffer.from(token, 'base64url'));
  } catch {
    return null;
  }
}

/** What the link says; null for one that is not ours, or has ended. */
export function openReceipt(secrets: SecretBox, token: string, now: Date): ReceiptToken | null {
  const bytes = unsealed(secrets, token);
  if (!bytes?.subarray(0, MARK.length).equals(MARK)) return null;
  const [head, id, address] = [bytes.subarray(5, 10), bytes.subarray(10, 26), bytes.subarray(26)];
  const art = ARTEN[head.readUInt8(0)];
  const bis = head.readUInt32BE(1) || null;
  if (art === undefined || (bis !== null && bis * 1_000 < now.getTime())) return null;
  const uuid = id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { mandant: mandantId(uuid), art, adresse: address.toString(), bis };
}
