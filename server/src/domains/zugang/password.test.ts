import { argon2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './password.ts';

/** A PHC string of a foreign cost, made with the primitive itself. */
function foreignHash(passwort: string): string {
  const salt = Buffer.alloc(16, 7);
  const cost = { memory: 64, passes: 3, parallelism: 2 };
  const tag = argon2Sync('argon2id', { ...cost, message: passwort, nonce: salt, tagLength: 16 });
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=64,t=3,p=2$${text(salt)}$${text(tag)}`;
}

describe('passwords', () => {
  it('are stored as argon2id with the cost in the string, each with its own salt', async () => {
    const [one, other] = [await hashPassword('geheim'), await hashPassword('geheim')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(other);
    expect(await verifyPassword('geheim', one)).toBe(true);
  });

  it('differ when only the two-hundredth character differs', async () => {
    const long = 'ä'.repeat(199);
    const stored = await hashPassword(`${long}x`);
    expect(await verifyPassword(`${long}x`, stored)).toBe(true);
    expect(await verifyPassword(`${long}y`, stored)).toBe(false);
  });

  it('are the same however a system composes an umlaut', async () => {
    const stored = await hashPassword('Schl\u00fcssel');
    expect(await verifyPassword('Schlu\u0308ssel', stored)).toBe(true);
  });

  it('are checked with the cost the stored string names', async () => {
    const stored = foreignHash('von früher');
    expect(await verifyPassword('von früher', stored)).toBe(true);
    expect(await verifyPassword('von später', stored)).toBe(false);
  });

  it('never match a user that does not exist', async () => {
    expect(await verifyPassword('geheim', null)).toBe(false);
  });

  it('refuse a stored string of another form', async () => {
    await expect(verifyPassword('geheim', '$2b$10$abc')).rejects.toThrow('argon2id');
  });
});
