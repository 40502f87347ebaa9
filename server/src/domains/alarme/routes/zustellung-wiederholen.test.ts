import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { putAlarm } from '#test/put-alarm.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const repeat = (id: string, headers: Record<string, string> = { cookie: account.cookie }) =>
  service.app.inject({
    method: 'POST',
    url: `/v1/cockpit/alarme/zustellungen/${id}/wiederholen`,
    headers,
  });
const jobsFor = (zustellungId: string) =>
  service.sql(`SELECT job FROM auftraege WHERE nutzlast->>'zustellung_id' = $1`, [zustellungId]);

describe('POST /v1/cockpit/alarme/zustellungen/{zustellung_id}/wiederholen', () => {
  it.each(['aufgegeben', 'zugestellt', 'entfallen'])(
    'begins one that is %s anew, for a day',
    async (status) => {
      const fresh = await registerAccount(service);
      const { zustellungId } = await putAlarm(service.sql, fresh.mandantId, { status });
      service.clock.set('2026-05-01T10:00:00.000Z');
      const answer = await repeat(zustellungId, { cookie: fresh.cookie });
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({
        zustellung_id: zustellungId,
        status: 'wartet',
        frist: '2026-05-02T10:00:00.000Z',
      });
      expect(await jobsFor(zustellungId)).toEqual([{ job: 'alarme.zustellen' }]);
      const entries = await service.sql(
        `SELECT objekt_id, vorher, nachher FROM pruefprotokoll WHERE mandant_id = $1
       AND aktion = 'alarme.zustellung_wiederholt'`,
        [fresh.mandantId],
      );
      expect(entries).toEqual([
        { objekt_id: 'webhook_url', vorher: { status }, nachher: { status: 'wartet' } },
      ]);
    },
  );

  it('leaves one alone that waits still: asked twice at once, it is put in once', async () => {
    const { zustellungId } = await putAlarm(service.sql, account.mandantId);
    const answers = await Promise.all([repeat(zustellungId), repeat(zustellungId), repeat(zustellungId)]);
    for (const { statusCode } of answers) expect(statusCode).toBe(200);
    expect(await jobsFor(zustellungId)).toHaveLength(1);
  });

  it('answers a foreign delivery like one that does not exist, and leaves it alone', async () => {
    const other = await registerAccount(service);
    const { zustellungId } = await putAlarm(service.sql, other.mandantId);
    const [answer, unknown] = [await repeat(zustellungId), await repeat(randomUUID())];
    expect(answer.statusCode).toBe(404);
    expect(answer.json().code).toBe('nicht_gefunden');
    expect(answer.body).toBe(unknown.body);
    expect(await jobsFor(zustellungId)).toEqual([]);
  });

  it('checks the id', async () => {
    const answer = await repeat('abc');
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['path', 'zustellung_id']);
  });

  it('is for those who administer', async () => {
    const statuses = await statusByRole(service, account, async ({ cookie }) =>
      repeat((await putAlarm(service.sql, account.mandantId)).zustellungId, { cookie }),
    );
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
  });

  it('wants a session', async () => {
    const { zustellungId } = await putAlarm(service.sql, account.mandantId);
    expect((await repeat(zustellungId, {})).statusCode).toBe(401);
  });
});
