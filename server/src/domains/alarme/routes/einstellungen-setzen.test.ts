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

const URL = '/v1/cockpit/mandant/alarme/einstellungen';
const set = (payload: object, headers: Record<string, string> = { cookie: account.cookie }) =>
  service.app.inject({ method: 'PUT', url: URL, headers, payload });
const read = (headers: Record<string, string> = { cookie: account.cookie }) =>
  service.app.inject({ url: URL, headers });

const NIGHTS = { von: '22:00', bis: '07:00', tage: [1, 2, 3] };
const NOTHING = {
  sprache: 'de',
  ruhestunden: null,
  sammeln: 'sofort',
  sammeln_um: '08:00',
  unterschrift_seit: null,
  unterschrift_frueher_bis: null,
};

describe('PUT /v1/cockpit/mandant/alarme/einstellungen', () => {
  it('sets what is given, leaves what is not, takes quiet hours away with null', async () => {
    const fresh = await registerAccount(service);
    const headers = { cookie: fresh.cookie };
    const nights = { ...NOTHING, ruhestunden: NIGHTS };
    expect((await set({ ruhestunden: { ...NIGHTS, tage: [3, 1, 2, 1] } }, headers)).json()).toEqual(nights);
    const daily = { sprache: 'en', sammeln: 'taeglich', sammeln_um: '06:30' };
    expect((await set(daily, headers)).json()).toEqual({ ...nights, ...daily });
    expect((await read(headers)).json()).toEqual({ ...nights, ...daily });
    expect((await set({ ruhestunden: null }, headers)).json()).toEqual({ ...NOTHING, ...daily });
    const entries = await service.sql(
      `SELECT vorher, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'alarme.einstellungen_geaendert'
       ORDER BY eintrag_id`,
      [fresh.mandantId],
    );
    expect(entries).toEqual([
      { vorher: { ruhestunden: null }, nachher: { ruhestunden: NIGHTS } },
      { vorher: { sprache: 'de', sammeln: 'sofort', sammeln_um: '08:00' }, nachher: daily },
      { vorher: { ruhestunden: NIGHTS }, nachher: { ruhestunden: null } },
    ]);
  });

  it('loses none of two changes made at once', async () => {
    const fresh = await registerAccount(service);
    const headers = { cookie: fresh.cookie };
    const changes = [
      { sprache: 'en' },
      { sammeln: 'stuendlich' },
      { sammeln_um: '23:59' },
      { ruhestunden: NIGHTS },
    ];
    await Promise.all(changes.map((change) => set(change, headers)));
    expect((await read(headers)).json()).toEqual({ ...NOTHING, ...Object.assign({}, ...changes) });
  });

  it.each([
    [{ ruhestunden: { ...NIGHTS, von: '24:00' } }, ['body', 'ruhestunden', 'von']],
    [{ ruhestunden: { ...NIGHTS, bis: '7 Uhr' } }, ['body', 'ruhestunden', 'bis']],
    [{ ruhestunden: { ...NIGHTS, tage: [] } }, ['body', 'ruhestunden', 'tage']],
    [{ ruhestunden: { ...NIGHTS, tage: [8] } }, ['body', 'ruhestunden', 'tage', 0]],
    [{ ruhestunden: { von: '22:00', tage: [1] } }, ['body', 'ruhestunden', 'bis']],
    [{ sammeln: 'nie' }, ['body', 'sammeln']],
    [{ sammeln_um: '8:00' }, ['body', 'sammeln_um']],
    [{ sprache: 'fr' }, ['body', 'sprache']],
  ])('checks its body: %j', async (payload, loc) => {
    const answer = await set(payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(loc);
  });

  it('changes nobody else', async () => {
    const other = await registerAccount(service);
    await set({ sprache: 'en', mandant_id: other.mandantId });
    expect((await read({ cookie: other.cookie })).json()).toEqual(NOTHING);
  });

  it('is for those who administer', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => set({}, { cookie }));
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
  });

  it('wants a session', async () => {
    expect((await set({}, {})).statusCode).toBe(401);
  });
});
