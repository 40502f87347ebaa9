import { CompactSign, exportJWK, generateKeyPair, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '#platform/config.ts';
import { isWhole } from '#test/depth.ts';
import { createIssuer, type Issuer, LICENCE, spoilt } from '#test/licences.ts';
import { readKeys } from './keys.ts';
import { installedLicence, LICENCE_TYPE, verifyLicence } from './licence.ts';
import { LIST_TYPE } from './list.ts';
import { fingerprintOf, NotSigned, sign } from './signed.ts';

let issuer: Issuer;
let token: string;
beforeAll(async () => {
  issuer = await createIssuer();
  token = await issuer.licence();
});

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signedAs = (header: object, payload: object = LICENCE) =>
  new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'EdDSA', kid: issuer.kid, typ: LICENCE_TYPE, ...header })
    .sign(issuer.key);

describe('a licence', () => {
  it('says what was signed, and has the fingerprint that anybody can work out', async () => {
    expect(await verifyLicence(token, issuer.keys)).toEqual({
      ...LICENCE,
      fingerabdruck: fingerprintOf(token),
      kid: issuer.kid,
    });
    expect(fingerprintOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('proves nothing with any bit of any byte changed, nor in any other spelling', async () => {
    let count = 0;
    for (const forged of spoilt(token)) {
      count += 1;
      if (!isWhole && count % 11 > 0) continue;
      await expect(verifyLicence(forged, issuer.keys), forged).rejects.toThrow();
    }
    expect(count).toBeGreaterThan(3_000);
  });

  it('without a signature is refused', async () => {
    const none = `${part({ alg: 'none', kid: issuer.kid, typ: LICENCE_TYPE })}.${part(LICENCE)}.`;
    for (const forged of [none, new UnsecuredJWT(LICENCE).encode()])
      await expect(verifyLicence(forged, issuer.keys)).rejects.toThrow(NotSigned);
  });

  it.each(['jwk', 'bytes'])('signed with the public key as a password (%s) is refused', async (form) => {
    const secret = Buffer.from(
      form === 'jwk' ? issuer.jwk : JSON.parse(issuer.jwk).x,
      form === 'jwk' ? 'utf8' : 'base64url',
    );
    const forged = await new CompactSign(Buffer.from(JSON.stringify(LICENCE)))
      .setProtectedHeader({ alg: 'HS256', kid: issuer.kid, typ: LICENCE_TYPE })
      .sign(secret);
    await expect(verifyLicence(forged, issuer.keys)).rejects.toThrow(NotSigned);
  });

  it('is no revocation list, nor of any other kind', async () => {
    const list = await sign(LICENCE, LIST_TYPE, issuer.kid, issuer.key);
    await expect(verifyLicence(list, issuer.keys)).rejects.toThrow(`not signed as ${LICENCE_TYPE}`);
    for (const header of [{ typ: 'JWT' }, { typ: undefined }, { crit: ['b64'], b64: true }, { jwk: {} }])
      await expect(verifyLicence(await signedAs(header), issuer.keys)).rejects.toThrow(NotSigned);
  });

  it('of a key that is not known is refused, also under the name of one that is', async () => {
    const other = await createIssuer();
    await expect(verifyLicence(await other.licence(), issuer.keys)).rejects.toThrow('another key');
    const named = await sign(LICENCE, LICENCE_TYPE, issuer.kid, other.key);
    await expect(verifyLicence(named, issuer.keys)).rejects.toThrow('the signature is wrong');
  });

  it('of any of several keys is taken', async () => {
    const other = await createIssuer();
    const keys = await readKeys(
      JSON.stringify({ keys: [issuer.jwk, other.jwk].map((jwk) => JSON.parse(jwk)) }),
    );
    expect((await verifyLicence(token, keys)).kid).toBe(issuer.kid);
    expect((await verifyLicence(await other.licence(), keys)).kid).toBe(other.kid);
  });

  it.each([
    [{ lizenz_id: 'x' }, 'lizenz_id'],
    [{ paket: undefined }, 'paket'],
    [{ mandanten: 0 }, 'mandanten'],
    [{ mandanten: undefined }, 'mandanten'],
    [{ gueltig_bis: undefined }, 'gueltig_bis'],
    [{ gueltig_bis: 'bald' }, 'gueltig_bis'],
  ])('must say everything a licence says: %j', async (contents, field) => {
    await expect(verifyLicence(await issuer.licence(contents), issuer.keys)).rejects.toThrow(field);
  });
});

describe('keys to check with', () => {
  it.each([
    '',
    'kein Schlüssel',
    '{}',
    'null',
    '{"keys":[]}',
    '{"keys":{}}',
    '{"kty":"oct","k":"AAAA"}',
    '[1]',
  ])('are public keys of Ed25519, not: %s', async (text) => {
    await expect(readKeys(text)).rejects.toThrow();
  });

  it('are not private ones', async () => {
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    await expect(readKeys(JSON.stringify(await exportJWK(privateKey)))).rejects.toThrow('private');
  });
});

describe('the licence that is set', () => {
  const installed = (env: Record<string, string>) =>
    installedLicence(parseConfig({ NODE_ENV: 'test', ...env }));

  it('is none, one that proves nothing, or a verified one', async () => {
    expect(await installed({})).toBeNull();
    expect(await installed({ LIZENZ: token })).toEqual({
      invalid: new Error('LIZENZ_PRUEFSCHLUESSEL is not set'),
    });
    expect(await installed({ LIZENZ: 'unsinn', LIZENZ_PRUEFSCHLUESSEL: issuer.jwk })).toHaveProperty(
      'invalid',
    );
    expect(await installed({ LIZENZ: ` ${token}\n`, LIZENZ_PRUEFSCHLUESSEL: issuer.jwk })).toMatchObject({
      licence: LICENCE,
    });
  });
});
