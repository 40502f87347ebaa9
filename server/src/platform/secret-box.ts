/** Secrets at rest: AES-256-GCM under the key of the installation. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

export interface SecretBox {
  /** Format byte, nonce (12), tag (16), ciphertext. */
  seal(plain: Uint8Array): Buffer;
  /** Throws when the key is another one or the bytes were changed. */
  open(sealed: Uint8Array): Buffer;
  /** 32 bytes for one purpose and subject, the same every time; nothing of the key or of other ones shows in them. */
  derive(purpose: string, subject: string): Buffer;
}

const FORMAT = 1;

export function createSecretBox(key: Buffer): SecretBox {
  return {
    seal(plain) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Buffer.from([FORMAT]), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed) {
      const bytes = Buffer.from(sealed);
      if (bytes[0] !== FORMAT) throw new Error('unknown format of a sealed secret');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 13));
      decipher.setAuthTag(bytes.subarray(13, 29));
      return Buffer.concat([decipher.update(bytes.subarray(29)), decipher.final()]);
    },
    derive: (purpose, subject) => Buffer.from(hkdfSync('sha256', key, subject, `zaehlwerk: ${purpose}`, 32)),
  };
}

/** What is on its way to the disk is there when this returns. */
function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the key. It gets its name when it is on the disk as a whole: a crash leaves no key, or this one. */
function makeKeyFile(file: string): void {
  const directory = dirname(file);
  mkdirSync(directory, { recursive: true });
  const unnamed = `${file}.${randomUUID()}`;
  try {
    writeFileSync(unnamed, `${randomBytes(32).toString('base64')}\n`, {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    });
    // Not renamed: of two processes starting at once the second must not overwrite the first one's key.
    linkSync(unnamed, file);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  } finally {
    rmSync(unnamed, { force: true });
  }
  flush(directory);
}

const keyFileOf = (dataDir: string): string => join(dataDir, 'schluessel.key');

/** The configured key (base64), else the one in the data directory; null where there is none yet. */
export function findSecretKey(configured: string | null, dataDir: string): Buffer | null {
  if (configured !== null) return Buffer.from(configured, 'base64');
  const file = keyFileOf(dataDir);
  return existsSync(file) ? Buffer.from(readFileSync(file, 'utf8').trim(), 'base64') : null;
}

/** Likewise, made on first start. */
export function loadSecretKey(configured: string | null, dataDir: string): Buffer {
  if (configured === null && !existsSync(keyFileOf(dataDir))) makeKeyFile(keyFileOf(dataDir));
  return findSecretKey(configured, dataDir) as Buffer;
}

/** Tells keys apart without telling anything of the key: it may stand beside what the key has sealed. */
export const fingerprintOf = (key: Buffer): string =>
  createHmac('sha256', key).update('zaehlwerk: which key').digest('hex').slice(0, 16);
