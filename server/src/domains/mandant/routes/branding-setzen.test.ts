import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const WHOLE = {
  name: 'Muster Studio',
  farbe: '#1d4ed8',
  logo_url: 'https://example.org/logo.png',
  fusszeile: 'Muster GmbH, Berlin',
};
const NONE = { name: null, farbe: null, logo_url: null, fusszeile: null };

const set = (payload: object, headers: Record<string, string> = { cookie: account.cookie }) =>
  service.app.inject({ method: 'PUT', url: '/v1/cockpit/konto/branding', headers, payload });

const brandingOf = async ({ cookie }: Account) =>
  (await service.app.inject({ url: '/v1/cockpit/konto', headers: { cookie } })).json().branding;

const entriesOf = ({ mandantId }: Account) =>
  service.sql(
    'SELECT vorher, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = $2 ORDER BY eintrag_id',
    [mandantId, 'branding.geaendert'],
  );

describe('PUT /v1/cockpit/konto/branding', () => {
  it('sets what is given, leaves what is not, clears what is null or blank', async () => {
    const fresh = await registerAccount(service);
    const headers = { cookie: fresh.cookie };
    expect((await set(WHOLE, headers)).json()).toEqual(WHOLE);
    expect(await brandingOf(fresh)).toEqual(WHOLE);
    expect((await set({ name: 'Neu' }, headers)).json()).toEqual({ ...WHOLE, name: 'Neu' });
    expect((await set({ farbe: null, logo_url: '' }, headers)).json()).toMatchObject({
      name: 'Neu',
      farbe: null,
      logo_url: null,
      fusszeile: WHOLE.fusszeile,
    });
    expect((await set({ name: ' ', fusszeile: null }, headers)).json()).toEqual(NONE);
    expect(await brandingOf(fresh)).toEqual(NONE);
  });

  it('needs a package that has it, where packages bind; what is set stays and can be cleared', async () => {
    const fresh = await registerAccount(service);
    const headers = { cookie: fresh.cookie };
    const give = (paket: string) =>
      service.sql(`UPDATE mandanten SET paket = $2, paket_quelle = 'betreiber' WHERE mandant_id = $1`, [
        fresh.mandantId,
        paket,
      ]);
    await give('starter');
    expect((await set(WHOLE, headers)).statusCode).toBe(200);
    await give('frei');
    const refused = await set({ name: 'Neu', farbe: null }, headers);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toEqual({
      code: 'funktion_nicht_im_tarif',
      detail: 'Ein eigenes Aussehen gehört nicht zu Ihrem Tarif „Frei“. Was eingerichtet ist, bleibt.',
    });
    expect((await set(WHOLE, headers)).json()).toEqual(WHOLE);
    expect((await set({ name: null }, headers)).json()).toEqual({ ...WHOLE, name: null });
  });

  it('is in the audit log with the fields that changed, and not when none did', async () => {
    const fresh = await registerAccount(service);
    const headers = { cookie: fresh.cookie };
    await set({ name: 'Studio', farbe: '#ABCDEF' }, headers);
    await set({ name: 'Studio', farbe: '#abcdef' }, headers);
    await set({}, headers);
    await set({ farbe: '' }, headers);
    expect(await entriesOf(fresh)).toEqual([
      { vorher: { name: null, farbe: null }, nachher: { name: 'Studio', farbe: '#abcdef' } },
      { vorher: { farbe: '#abcdef' }, nachher: { farbe: null } },
    ]);
  });

  it('takes nothing else along', async () => {
    const other = await registerAccount(service);
    await set({ name: 'Studio', paket: 'team', firma: 'Andere', mandant_id: other.mandantId });
    const rows = await service.sql(
      'SELECT firma, paket, branding_name FROM mandanten WHERE mandant_id = ANY($1) ORDER BY branding_name',
      [[account.mandantId, other.mandantId]],
    );
    expect(rows).toEqual([
      { firma: 'Muster GmbH', paket: 'frei', branding_name: 'Studio' },
      { firma: 'Muster GmbH', paket: 'frei', branding_name: null },
    ]);
  });

  it('names every field that is wrong', async () => {
    const answer = await set({
      farbe: 'blau',
      logo_url: 'http://169.254.169.254/latest',
      name: 'bleibt aus',
    });
    expect(answer.statusCode).toBe(422);
    const error = (field: string, reason: string, input: string) => ({
      type: 'value_error',
      loc: ['body', field],
      msg: `Value error, ${reason}`,
      input,
      ctx: { error: reason },
    });
    expect(answer.json().detail).toEqual([
      error('farbe', 'farbe muss die Form #rrggbb haben', 'blau'),
      error(
        'logo_url',
        'logo_url liegt in einem Netz, das der Dienst nicht erreichen darf',
        'http://169.254.169.254/latest',
      ),
    ]);
    expect((await brandingOf(account)).name).not.toBe('bleibt aus');
  });

  it.each([
    [{ name: 'x'.repeat(121) }, 'name'],
    [{ farbe: '#12345678' }, 'farbe'],
    [{ farbe: '#12345g' }, 'farbe'],
    [{ logo_url: 'javascript:alert(1)' }, 'logo_url'],
    [{ logo_url: 'logo.png' }, 'logo_url'],
    [{ fusszeile: 'x'.repeat(501) }, 'fusszeile'],
    [{ fusszeile: 7 }, 'fusszeile'],
    [{ fusszeile: 'Muster\u202eGmbH' }, 'fusszeile'],
    [{ name: 'Muster\nGmbH' }, 'name'],
    [{ name: 'www.boese.example' }, 'name'],
  ])('checks its body: %j', async (payload, field) => {
    const answer = await set(payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['body', field]);
  });

  it('is for those who administer', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => set({}, { cookie }));
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
  });

  it('wants a session', async () => {
    expect((await set(WHOLE, {})).statusCode).toBe(401);
  });
});
