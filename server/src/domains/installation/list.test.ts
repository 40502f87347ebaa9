import { beforeAll, describe, expect, it } from 'vitest';
import { isWhole } from '#test/depth.ts';
import { blockOf, createIssuer, type Issuer, LIST, spoilt } from '#test/licences.ts';
import { LICENCE_TYPE } from './licence.ts';
import { NoList, readList, signedList } from './list.ts';
import { NotSigned, sign } from './signed.ts';

let issuer: Issuer;
let body: string;
beforeAll(async () => {
  issuer = await createIssuer();
  body = await issuer.list({ sperren: [blockOf('ein Token'), blockOf('noch eins')] });
});

describe('a revocation list', () => {
  it('says what was signed', async () => {
    const { liste, kid } = await readList(body, issuer.keys);
    expect(liste).toEqual({ ...LIST, sperren: [blockOf('ein Token'), blockOf('noch eins')] });
    expect(kid).toBe(issuer.kid);
  });

  it('is refused with any byte of it changed, left out or added', async () => {
    const bytes = Buffer.from(body);
    for (let position = 0; position < bytes.length; position += isWhole ? 1 : 11) {
      for (const mask of [1, 2, 32, 128]) {
        const flipped = Buffer.from(bytes);
        flipped[position] = (flipped[position] ?? 0) ^ mask;
        await expect(readList(flipped.toString(), issuer.keys), `${position} ^ ${mask}`).rejects.toThrow();
      }
      const shorter = Buffer.concat([bytes.subarray(0, position), bytes.subarray(position + 1)]).toString();
      await expect(readList(shorter, issuer.keys), `without ${position}`).rejects.toThrow();
      const longer = `${body.slice(0, position)} ${body.slice(position)}`;
      await expect(readList(longer, issuer.keys), `a blank at ${position}`).rejects.toThrow();
    }
    await expect(readList(`${body}\n`, issuer.keys)).rejects.toThrow();
  });

  it('is refused with a signature in any other spelling', async () => {
    const { signatur, ...payload } = JSON.parse(body);
    const all = [...spoilt(signatur)];
    for (const forged of all.filter((_, index) => isWhole || index % 11 === 0))
      await expect(
        readList(signedList(JSON.stringify(payload), forged), issuer.keys),
        forged,
      ).rejects.toThrow();
  });

  it('is no licence, and of no other key', async () => {
    const licence = await sign(LIST, LICENCE_TYPE, issuer.kid, issuer.key);
    await expect(readList(signedList(JSON.stringify(LIST), licence), issuer.keys)).rejects.toThrow(NotSigned);
    await expect(readList(await (await createIssuer()).list(), issuer.keys)).rejects.toThrow('another key');
  });

  it.each(['', '<html></html>', 'null', '[]', '{}', '{"signatur":5}'])('is not: %s', async (other) => {
    await expect(readList(other, issuer.keys)).rejects.toThrow(NoList);
  });

  it.each([{ nummer: -1 }, { sperren: [{}] }, { gueltig_bis: undefined }, { ausgestellt_am: 'heute' }])(
    'says everything a list says: %j',
    async (contents) => {
      await expect(readList(await issuer.list(contents), issuer.keys)).rejects.toThrow(NoList);
    },
  );
});
