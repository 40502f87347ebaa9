import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { altsOf, openPdf, pagesOf, untaggedOf } from '#test/read-pdf.ts';
import { sampleLogo } from '#test/sample-statement.ts';
import { startService, type TestService } from '#test/service.ts';
import { fillWeeks, LONG, MONDAY, putFinding } from '#test/weeks.ts';

let service: TestService;
let ours: Account;

/** A logo on a server of its own. */
const logos = createServer((_request, answer) => {
  answer.setHeader('content-type', 'image/png');
  answer.end(sampleLogo());
});

beforeAll(async () => {
  logos.listen(0, '127.0.0.1');
  await once(logos, 'listening');
  service = await startService({ ERLAUBTE_NETZE: '127.0.0.1/32' });
  service.clock.set(MONDAY);
  ours = await registerAccount(service, 'Muster & Söhne GmbH');
  await fillWeeks(service, ours);
  await putFinding(service, ours);
});
afterAll(async () => {
  logos.close();
  await service.stop();
});

const get = (query = '', cookie: string | null = ours.cookie) =>
  service.app.inject({
    url: `/v1/cockpit/bericht/woche.pdf${query}`,
    headers: cookie === null ? {} : { cookie },
  });
const textOf = async (bytes: Uint8Array) =>
  (await pagesOf(new Uint8Array(bytes)))
    .flat()
    .map(({ text }) => text.replaceAll('\u00a0', ' '))
    .join(' ');

test('the same figures as the page, tagged from beginning to end', async () => {
  const answer = await get();
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
  expect(answer.headers['content-type']).toBe('application/pdf');
  expect(answer.headers['content-disposition']).toBe('inline; filename="wochenbericht-2026-W46.pdf"');
  const text = await textOf(answer.rawPayload);
  for (const part of [
    'Wochenbericht Kalenderwoche 46/2026',
    '9. November 2026 – 15. November 2026',
    '179,86 €',
    'Vorwoche: 111,25 € (+61,7 %)',
    '−31,25 €',
    'Schleife: support/triage',
    'Müller & Söhne <GmbH>',
    'Seite 1 von',
  ])
    expect(text).toContain(part);
  expect(text.replaceAll(/\s/g, '')).toContain(LONG.slice(0, 60));
  const document = await openPdf(new Uint8Array(answer.rawPayload));
  for (let number = 1; number <= document.numPages; number += 1)
    expect(await untaggedOf(await document.getPage(number))).toBe(0);
  const [chart] = await altsOf(await document.getPage(1));
  expect(chart?.replaceAll('\u00a0', ' ')).toContain('Mo., 9.11. 123,46 €');
});

test('bears the name, the foot and the logo that the Mandant has set; without a logo that can be had, none', async () => {
  const logo_url = `http://127.0.0.1:${(logos.address() as AddressInfo).port}/logo.png`;
  const set = (body: object) =>
    service.app.inject({
      method: 'PUT',
      url: '/v1/cockpit/konto/branding',
      headers: { cookie: ours.cookie },
      payload: body,
    });
  const branded = await set({ name: 'Marke AG', farbe: '#aa3300', logo_url, fusszeile: 'HRB 4711\nBerlin' });
  expect(branded.statusCode, branded.body).toBe(200);
  const { rawPayload } = await get();
  const text = await textOf(rawPayload);
  expect(text).toContain('Marke AG');
  expect(text).toContain('HRB 4711');
  const page = await (await openPdf(new Uint8Array(rawPayload))).getPage(1);
  expect(await altsOf(page)).toContain('Logo Marke AG');
  await set({ logo_url: 'http://127.0.0.1:1/weg.png' });
  const without = await get();
  expect(without.statusCode).toBe(200);
  expect(await altsOf(await (await openPdf(new Uint8Array(without.rawPayload))).getPage(1))).not.toContain(
    'Logo Marke AG',
  );
});

test('an empty week has a page, too', async () => {
  const empty = await registerAccount(service);
  const answer = await get('', empty.cookie);
  expect(answer.statusCode).toBe(200);
  expect(await textOf(answer.rawPayload)).toContain('In dieser Woche gab es keine Aufrufe.');
});

test('401 without a session, 422 for what is no week', async () => {
  expect((await get('', null)).statusCode).toBe(401);
  expect((await get('?woche=2026-W99')).json().detail[0].loc).toEqual(['query', 'woche']);
});
