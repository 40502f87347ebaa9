import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { putAlarm } from '#test/put-alarm.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const read = (
  query: Record<string, string> = {},
  headers: Record<string, string> = { cookie: account.cookie },
) => service.app.inject({ url: '/v1/cockpit/alarme', query, headers });
const idsOf = (answer: Awaited<ReturnType<typeof read>>) =>
  answer.json().alarme.map(({ alarm_id }: { alarm_id: string }) => alarm_id);

describe('GET /v1/cockpit/alarme', () => {
  it('shows alarms with their deliveries, newest first', async () => {
    const fresh = await registerAccount(service);
    const headers = { cookie: fresh.cookie };
    const old = await putAlarm(service.sql, fresh.mandantId, { zeitpunkt: '2026-05-01T10:00:00.000Z' });
    const young = await putAlarm(service.sql, fresh.mandantId, { zeitpunkt: '2026-05-02T10:00:00.000Z' });
    const answer = await read({}, headers);
    expect(answer.statusCode).toBe(200);
    expect(idsOf(answer)).toEqual([young.alarmId, old.alarmId]);
    expect(answer.json().alarme[1]).toEqual({
      alarm_id: old.alarmId,
      art: 'alarm',
      stufe: 'warnen',
      titel: { de: 'Titel', en: 'Headline' },
      text: { de: 'Text', en: 'Text' },
      pfad: '/befunde/1',
      zeitpunkt: '2026-05-01T10:00:00.000Z',
      gehalten_bis: null,
      sammlung_id: null,
      zustellungen: [
        {
          zustellung_id: old.zustellungId,
          kanal: 'webhook_url',
          status: 'aufgegeben',
          versuche: 2,
          antwort_status: 410,
          fehler: {
            de: 'Der Empfänger hat mit 410 geantwortet.',
            en: 'The receiver answered with 410.',
          },
          frist: '2026-05-01T10:00:00.000Z',
          erstellt_am: '2026-05-01T10:00:00.000Z',
          versucht_am: '2026-05-01T10:00:00.000Z',
        },
      ],
    });
  });

  it('finds by level, channel, state of a delivery and local day', async () => {
    const fresh = await registerAccount(service);
    const put = (more: Parameters<typeof putAlarm>[2]) => putAlarm(service.sql, fresh.mandantId, more);
    const one = await put({ stufe: 'sperren', status: 'zugestellt', zeitpunkt: '2026-05-01T21:59:59Z' });
    const two = await put({ kanal: 'email', status: 'zugestellt', zeitpunkt: '2026-05-01T22:00:00Z' });
    const three = await put({ status: 'wartet', zeitpunkt: '2026-05-02T22:00:00Z' });
    const of = async (query: Record<string, string>) => idsOf(await read(query, { cookie: fresh.cookie }));
    expect(await of({ stufe: 'sperren' })).toEqual([one.alarmId]);
    expect(await of({ kanal: 'email' })).toEqual([two.alarmId]);
    expect(await of({ status: 'zugestellt' })).toEqual([two.alarmId, one.alarmId]);
    expect(await of({ status: 'zugestellt', kanal: 'webhook_url' })).toEqual([one.alarmId]);
    expect(await of({ von: '2026-05-02', bis: '2026-05-02' })).toEqual([two.alarmId]);
    expect(await of({ art: 'sammlung' })).toEqual([]);
    expect(await of({ art: 'alarm', bis: '2026-05-03' })).toEqual([three.alarmId, two.alarmId, one.alarmId]);
  });

  it.each([
    [{ limit: '0' }, 'limit'],
    [{ kanal: 'fax' }, 'kanal'],
    [{ status: 'gut' }, 'status'],
    [{ stufe: 'laut' }, 'stufe'],
    [{ art: 'x' }, 'art'],
    [{ von: 'gestern' }, 'von'],
    [{ von: '2026-05-02', bis: '2026-05-01' }, 'von'],
    [{ nach: 'abc' }, 'nach'],
  ])('checks its parameters: %j', async (query, parameter) => {
    const answer = await read(query as unknown as Record<string, string>);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['query', parameter]);
  });

  it('is for everybody who reads figures, and shows nothing foreign', async () => {
    const other = await registerAccount(service);
    await putAlarm(service.sql, other.mandantId);
    expect((await read()).json()).toEqual({ alarme: [], weiter: null });
    const statuses = await statusByRole(service, account, ({ cookie }) => read({}, { cookie }));
    expect(statuses).toEqual(admitting(EVERYBODY));
  });

  it('wants a session', async () => {
    expect((await read({}, {})).statusCode).toBe(401);
  });
});
