import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecretBox } from '#platform/secret-box.ts';
import { issueDevice, knownDevice } from './known-device.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const later = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
const secrets = createSecretBox(randomBytes(32));
const user = { benutzer_id: randomUUID(), passwort_hash: '$argon2id$eins' };

const issue = () => issueDevice(secrets, user, NOW) as string;

describe('the pass of a known device', () => {
  it('names the device it was made for, another one each time', () => {
    const pass = issue();
    const id = knownDevice(secrets, pass, user, NOW);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(knownDevice(secrets, pass, user, later(179))).toBe(id);
    expect(knownDevice(secrets, issue(), user, NOW)).not.toBe(id);
  });

  it('ends with its time, and with the password', () => {
    expect(knownDevice(secrets, issue(), user, later(180))).toBeNull();
    const changed = { ...user, passwort_hash: '$argon2id$zwei' };
    expect(knownDevice(secrets, issue(), changed, NOW)).toBeNull();
    expect(knownDevice(secrets, issue(), { ...user, passwort_hash: null }, NOW)).toBeNull();
  });

  it('is nobody else’s', () => {
    expect(knownDevice(secrets, issue(), { ...user, benutzer_id: randomUUID() }, NOW)).toBeNull();
    expect(knownDevice(secrets, issue(), undefined, NOW)).toBeNull();
  });

  it('cannot be made up', () => {
    const pass = issue();
    const changed = `${pass.startsWith('A') ? 'B' : 'A'}${pass.slice(1)}`;
    const foreign = issueDevice(createSecretBox(randomBytes(32)), user, NOW);
    const otherPurpose = secrets
      .seal(Buffer.from(JSON.stringify({ user: user.benutzer_id })))
      .toString('base64url');
    const seed = secrets.seal(Buffer.from('JBSWY3DPEHPK3PXP')).toString('base64url');
    for (const made of ['', 'abc', '%%%', changed, foreign, otherPurpose, seed])
      expect(knownDevice(secrets, made, user, NOW), String(made)).toBeNull();
  });

  it('does not show what it holds', () => {
    const text = Buffer.from(issue(), 'base64url').toString('latin1');
    expect(text).not.toContain(user.benutzer_id);
    expect(text).not.toContain('argon2id');
  });

  it('is not made for users without a password', () => {
    expect(issueDevice(secrets, { ...user, passwort_hash: null }, NOW)).toBeNull();
  });
});
