/** How much mail may leave: for every kind there is, over several connections, against PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MandantId } from '#kernel/mandant-id.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { ARTEN, type ArtName, artOf } from './arten.ts';
import { reserveMails, waitFor } from './budget.ts';
import { toMail } from './letter.ts';
import { queueMail } from './store.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const NAMES = Object.keys(ARTEN) as ArtName[];
const newMandant = async (): Promise<MandantId> => mandantId((await registerAccount(service)).mandantId);
const unproven = async (): Promise<MandantId> => {
  const { mandantId: id } = await registerAccount(service);
  await service.sql('UPDATE benutzer SET email_bestaetigt_am = NULL WHERE mandant_id = $1', [id]);
  return mandantId(id);
};
const reserve = (mandant: MandantId, art: ArtName, addresses: string[]) =>
  service.context.db.forMandant(mandant, (tx) => reserveMails(tx, art, addresses));
const newAddress = () => `${randomUUID()}@example.org`;
const count = (fits: boolean[]) => fits.filter(Boolean).length;

describe.each(NAMES)('mail of the kind %s', (art) => {
  const { an, budgets, unbestaetigt } = artOf(art);

  it('says whom it goes to, and is bounded unless it is about the own account', () => {
    expect(['konto', 'einverstanden', 'fremd']).toContain(an);
    if (an === 'konto') return;
    expect(budgets.some(({ je }) => je === 'paar')).toBe(true);
    if (an === 'fremd') {
      expect(unbestaetigt).toBeDefined();
      expect(budgets.some(({ je }) => je === 'mandant')).toBe(true);
    }
  });

  it('goes to one address as often as is meant, and no more', async () => {
    const mandant = await newMandant();
    const address = newAddress();
    const most = Math.min(...budgets.filter(({ je }) => je !== 'mandant').map((budget) => budget.most));
    const asked = Array<string>(Number.isFinite(most) ? most + 1 : 100).fill(address);
    const { fits, wait } = await reserve(mandant, art, asked);
    expect(count(fits)).toBe(Number.isFinite(most) ? most : 100);
    expect(wait > 0).toBe(Number.isFinite(most));
  });

  it.runIf(an === 'fremd')('leaves for nobody before an inhaber has proven the own address', async () => {
    const mandant = await unproven();
    const asking = reserve(mandant, art, [newAddress()]);
    if (unbestaetigt === 'haelt') expect(await asking).toMatchObject({ held: true });
    else await expect(asking).rejects.toMatchObject({ code: 'post_unbestaetigt' });
  });
});

describe('a budget', () => {
  it('is the same in every spelling of an address', async () => {
    const mandant = await newMandant();
    const asked = ['a@münchen.example', 'A@XN--MNCHEN-3YA.example', 'a@MÜNCHEN.example'];
    expect(count((await reserve(mandant, 'abrechnung_erneut', asked)).fits)).toBe(2);
  });

  it('is shared by all who ask at once, and not used by what is undone', async () => {
    const mandant = await newMandant();
    const address = newAddress();
    const undone = service.context.db.forMandant(mandant, async (tx) => {
      await reserveMails(tx, 'einladung', Array(5).fill(address));
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    const all = await Promise.all(Array.from({ length: 8 }, () => reserve(mandant, 'einladung', [address])));
    expect(all.filter(({ fits }) => fits[0])).toHaveLength(5);
  });

  it('of an address holds over all Mandanten, but for the first statement of a month', async () => {
    const address = newAddress();
    const taken: number[] = [];
    for (let nth = 0; nth < 5; nth += 1)
      taken.push(count((await reserve(await newMandant(), 'einladung', Array(5).fill(address))).fits));
    expect(taken).toEqual([5, 5, 5, 5, 0]);
    expect(count((await reserve(await newMandant(), 'abrechnung', [address])).fits)).toBe(1);
  });

  it('lets the statements of five thousand end customers go at once, and once again', async () => {
    const mandant = await newMandant();
    const addresses = Array.from({ length: 5_000 }, (_, nth) => `kunde-${nth}@example.org`);
    expect(count((await reserve(mandant, 'abrechnung', addresses)).fits)).toBe(5_000);
    expect(count((await reserve(mandant, 'abrechnung_erneut', addresses)).fits)).toBe(5_000);
    const beyond = await reserve(mandant, 'abrechnung', [newAddress()]);
    expect(beyond).toMatchObject({ fits: [false], mandantExhausted: true });
    expect(beyond.wait).toBeGreaterThan(0);
  });

  it('comes back evenly', () => {
    const budget = { name: 'x', je: 'paar', most: 4, seconds: 40 } as const;
    expect(waitFor(budget, 0)).toBe(0);
    expect(waitFor(budget, 30_000)).toBe(0);
    expect(waitFor(budget, 40_000)).toBe(10_000);
  });

  it('that is used up refuses the mail: nothing is put into the outbox', async () => {
    const mandant = await newMandant();
    const mail = toMail({ an: newAddress(), betreff: 'Hallo', absaetze: ['Hallo.'] });
    const put = () =>
      service.context.db.forMandant(mandant, (tx) =>
        queueMail(tx, service.context.secrets, { art: 'einladung', mail, gueltig: 3_600 }),
      );
    for (let nth = 0; nth < 5; nth += 1) await put();
    await expect(put()).rejects.toMatchObject({ code: 'post_ausgeschoepft', kind: 'too-many' });
    expect((await service.mails()).filter(({ an }) => an === mail.an)).toHaveLength(5);
  });
});
