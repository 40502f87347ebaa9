import { CompactSign, exportJWK, generateKeyPair, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyLicence } from './licence.ts';

const CONTENT = {
  lizenz_id: '0193f3c4-0000-7000-8000-000000000001',
  kunde: 'Muster GmbH',
  paket: 'enterprise',
  gueltig_bis: '2027-01-01T00:00:00.000Z',
  mandanten: 3,
};

let publicKey: string;
let sign: (payload: unknown) => Promise<string>;
beforeAll(async () => {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  publicKey = JSON.stringify(await exportJWK(pair.publicKey));
  sign = (payload) =>
    new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg: 'EdDSA' })
      .sign(pair.privateKey);
});

describe('a licence', () => {
  it('says what was signed', async () => {
    expect(await verifyLicence(await sign(CONTENT), publicKey)).toEqual(CONTENT);
  });

  it('proves nothing with any byte flipped', async () => {
    const parts = (await sign(CONTENT)).split('.');
    for (const [index, part] of parts.entries()) {
      const bytes = Buffer.from(part, 'base64url');
      for (let position = 0; position < bytes.length; position += 1) {
        const flipped = Buffer.from(bytes);
        flipped.writeUInt8(flipped.readUInt8(position) ^ 1, position);
        const forged = parts.with(index, flipped.toString('base64url')).join('.');
        await expect(verifyLicence(forged, publicKey)).rejects.toThrow();
      }
    }
  });

  it('without a signature is refused for its algorithm', async () => {
    await expect(verifyLicence(new UnsecuredJWT(CONTENT).encode(), publicKey)).rejects.toThrow();
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(CONTENT)).toString('base64url')}.`;
    await expect(verifyLicence(none, publicKey)).rejects.toMatchObject({ code: 'ERR_JOSE_ALG_NOT_ALLOWED' });
  });

  it('signed with the public key as a password is refused for its algorithm', async () => {
    const forged = await new CompactSign(Buffer.from(JSON.stringify(CONTENT)))
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(publicKey));
    await expect(verifyLicence(forged, publicKey)).rejects.toMatchObject({
      code: 'ERR_JOSE_ALG_NOT_ALLOWED',
    });
  });

  it('of another key is refused', async () => {
    const other = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
    const otherKey = JSON.stringify(await exportJWK(other.publicKey));
    await expect(verifyLicence(await sign(CONTENT), otherKey)).rejects.toMatchObject({
      code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    });
  });

  it.each([
    [{ ...CONTENT, lizenz_id: 'x' }, 'lizenz_id'],
    [{ ...CONTENT, paket: undefined }, 'paket'],
    [{ ...CONTENT, mandanten: 0 }, 'mandanten'],
    [{ nummer: 1, sperren: [] }, 'lizenz_id'],
  ])('must say everything a licence says: %j', async (payload, field) => {
    await expect(verifyLicence(await sign(payload), publicKey)).rejects.toThrow(field);
  });

  it.each(['', 'kein Schlüssel', '{}', '{"kty":"oct","k":"AAAA"}'])('needs a key: %s', async (key) => {
    await expect(verifyLicence(await sign(CONTENT), key)).rejects.toThrow();
  });
});
