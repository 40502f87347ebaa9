import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-05-01T10:00:00.123Z');
  account = await registerAccount(service, 'Muster GmbH');
});
afterAll(() => service.stop());

const read = (headers = {}) => service.app.inject({ url: '/v1/cockpit/konto', headers });

describe('GET /v1/cockpit/konto', () => {
  it('shows the Mandant and its keys, never a whole key', async () => {
    const key = await createKey(service, account);
    await createKey(service, await registerAccount(service, 'Andere AG'));
    const answer = await read({ cookie: account.cookie });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      mandant: {
        mandant_id: account.mandantId,
        firma: 'Muster GmbH',
        paket: 'frei',
        paket_bis: null,
        status: 'aktiv',
        zeitzone: 'Europe/Berlin',
        avv_akzeptiert_am: null,
        avv_akzeptiert_von: null,
        avv_fassung: null,
        ersatzkurs_ersetzen: false,
        endkunde_namen: [],
        funktion_namen: [],
        projekt_namen: [],
        merkmale: [],
        abo_weiterbelasten: false,
        erstellt_am: '2026-05-01T10:00:00.123Z',
      },
      schluessel: [
        {
          schluessel_id: key.schluesselId,
          name: 'standard',
          anzeige: `${key.secret.slice(0, 12)}…${key.secret.slice(-4)}`,
          bereiche: ['Senden', 'Lesen'],
          status: 'aktiv',
          erstellt_am: '2026-05-01T10:00:00.123Z',
          gesperrt_am: null,
          zuletzt_benutzt_am: null,
          anfragen_je_minute: null,
          ereignisse_je_minute: null,
        },
      ],
      weiter: null,
      branding: { name: null, farbe: null, logo_url: null, fusszeile: null },
      alarme: {
        email: [],
        chatA_webhook: null,
        chatB_webhook: null,
        push_url: null,
        webhook_url: null,
        empfaenger: [],
      },
    });
    expect(answer.body).not.toContain(key.secret);
  });

  it('shows every role what it may read, and null for the rest', async () => {
    const other = await registerAccount(service, 'Rollen AG');
    await createKey(service, other);
    const send = (method: 'PUT' | 'POST', url: string, payload?: object) =>
      service.app.inject({ method, url, headers: { cookie: other.cookie }, ...(payload ? { payload } : {}) });
    await send('PUT', '/v1/cockpit/mandant/alarme', { email: ['alarm@example.org'] });
    await send('PUT', '/v1/cockpit/konto/branding', { name: 'Marke' });
    await send('POST', '/v1/cockpit/konto/avv');
    const administering = {
      schluessel: [expect.objectContaining({ name: 'standard' })],
      alarme: expect.objectContaining({ email: ['alarm@example.org'] }),
      avv_akzeptiert_von: other.email,
    };
    const reading = { schluessel: null, alarme: null, avv_akzeptiert_von: null };
    const shown: Record<string, unknown> = {};
    await statusByRole(service, other, async ({ cookie }, rolle) => {
      const answer = await read({ cookie });
      const { mandant, schluessel, weiter: _weiter, branding, alarme, ...rest } = answer.json();
      const { avv_akzeptiert_von, avv_akzeptiert_am, ...data } = mandant;
      // A field beyond these must be looked at by its author.
      expect(Object.keys(rest)).toEqual([]);
      expect(Object.keys(data)).toEqual([
        'mandant_id',
        'firma',
        'paket',
        'paket_bis',
        'status',
        'zeitzone',
        'avv_fassung',
        'ersatzkurs_ersetzen',
        'endkunde_namen',
        'funktion_namen',
        'projekt_namen',
        'merkmale',
        'abo_weiterbelasten',
        'erstellt_am',
      ]);
      expect([branding.name, avv_akzeptiert_am]).toEqual(['Marke', expect.any(String)]);
      shown[rolle] = { schluessel, alarme, avv_akzeptiert_von };
      const page = await service.app.inject({ url: '/v1/cockpit/anbindung', headers: { cookie } });
      expect(page.json().schluessel === null, rolle).toBe(schluessel === null);
      return answer;
    });
    expect(shown).toEqual({
      betrachter: reading,
      buchhaltung: reading,
      bearbeiter: reading,
      verwalter: administering,
      inhaber: administering,
    });
  });

  it('is open to every role', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => read({ cookie }));
    expect(statuses).toEqual(admitting(EVERYBODY));
  });

  it('wants a session', async () => {
    const answer = await read();
    expect(answer.statusCode).toBe(401);
    expect(answer.json().code).toBe('nicht_angemeldet');
  });
});
