/** Whether a backup is one that this installation has made: its sums carry a MAC under the key of the secrets. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

export const SIGNATURE = 'SHA256SUMS.hmac';

/** A key of its own, so that nothing sealed with the key of the secrets tells of it. */
const backupKey = (secretKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'zaehlwerk: backups', 32));

/** What files of the write-ahead log are signed under: PostgreSQL's process gets this key, and none that opens anything else. */
export const archiveKey = (secretKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'zaehlwerk: archive', 32));

/** What stands in the file beside `SHA256SUMS`: the sums name every other file. */
export const signatureOf = (secretKey: Buffer, sums: string): string =>
  `${createHmac('sha256', backupKey(secretKey)).update(sums).digest('hex')}\n`;

/** Whether the sums are those that were signed under the key. */
export function isSigned(secretKey: Buffer, sums: string, signature: string): boolean {
  const [given, made] = [Buffer.from(signature.trim()), Buffer.from(signatureOf(secretKey, sums).trim())];
  return given.length === made.length && timingSafeEqual(given, made);
}
