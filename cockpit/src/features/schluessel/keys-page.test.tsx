/** The keys: made, limited, blocked; who may only look. */
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';
import { signedIn } from '../../../test/people.ts';
import { type Answers, invalid } from '../../../test/service.ts';
import type { Schluessel } from '../../api/types.ts';

const PAGE = '/einstellungen/schluessel';
const [first] = answerOf('cockpitAnbindung').schluessel as [Schluessel];
const key: Schluessel = {
  ...first,
  bereiche: ['Senden'],
  gesperrt_am: null,
  anfragen_je_minute: null,
  ereignisse_je_minute: null,
};

/** A service that keeps what is set. */
function keeping(...kept: Schluessel[]): Answers {
  let keys = kept;
  const put = (change: Partial<Schluessel>) => {
    keys = keys.map((one) => ({ ...one, ...change }));
    return keys[0] as Schluessel;
  };
  return {
    cockpitAnbindung: () => answerOf('cockpitAnbindung', { schluessel: keys }),
    schluesselAendern: ({ body }) => put(body as Partial<Schluessel>),
    schluesselSperren: () => put({ status: 'gesperrt', gesperrt_am: '2026-11-20T10:00:00Z' }),
    schluesselAnlegen: ({ body }) => {
      keys = [{ ...key, ...(body as Pick<Schluessel, 'name'>) }];
      return { ...(keys[0] as Schluessel), schluessel: 'zw_live_ganz' };
    },
  };
}

test('a key gets a quota, which is refused beside its field, shown, and taken away again', async () => {
  const answers = keeping(key);
  const { user, sent } = await openAt(PAGE, {
    answers: {
      ...answers,
      schluesselAendern: (asked) =>
        (asked.body as { anfragen_je_minute: unknown }).anfragen_je_minute === 'viele'
          ? invalid(
              [['body', 'anfragen_je_minute'], 'int_parsing'],
              [['body', 'ereignisse_je_minute'], 'greater_than_equal', { ge: 1 }],
            )
          : (answers.schluesselAendern as (asked: object) => Schluessel)(asked),
    },
  });
  await user.click(await screen.findByText('unbegrenzt'));
  const dialog = within(await screen.findByRole('dialog', { name: /^Kontingent von / }));
  const [requests, events] = [
    dialog.getByLabelText('Anfragen je Minute'),
    dialog.getByLabelText('Ereignisse je Minute'),
  ];
  const save = dialog.getByRole('button', { name: 'Speichern' });
  expect(save).toHaveProperty('disabled', true);
  await user.type(requests, 'viele');
  await user.type(events, '0');
  await user.click(save);
  await dialog.findByText('Bitte eine ganze Zahl angeben.');
  dialog.getByText('Mindestens 1.');
  expect(requests.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(requests);
  for (const [field, text] of [
    [requests, '6.000'],
    [events, '600000'],
  ] as const) {
    await user.clear(field);
    await user.type(field, text);
  }
  await user.click(save);
  await user.click(await screen.findByText('6.000 Anfragen, 600.000 Ereignisse je Minute'));
  const again = within(await screen.findByRole('dialog'));
  expect(again.getByLabelText('Anfragen je Minute')).toHaveProperty('value', '6000');
  await user.clear(again.getByLabelText('Anfragen je Minute'));
  await user.click(again.getByRole('button', { name: 'Speichern' }));
  await screen.findByText('600.000 Ereignisse je Minute, Anfragen unbegrenzt');
  expect(sent('schluesselAendern').slice(1)).toEqual([
    { anfragen_je_minute: 6000, ereignisse_je_minute: 600_000 },
    { anfragen_je_minute: null },
  ]);
});

const focused = () =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;

test('the focus goes to what does no harm, and to the heading when its place is gone', async () => {
  const { user, sent } = await openAt(PAGE, { answers: keeping() });
  await user.click(await screen.findByRole('button', { name: 'Neuer Schlüssel' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
  await user.type(screen.getByLabelText('Name'), 'Probe');
  await user.click(screen.getByRole('button', { name: 'Schlüssel anlegen' }));
  // The button is in another place now that there are keys.
  const block = await screen.findByRole('button', { name: 'Schlüssel „Probe“ sperren' });
  await expect.poll(focused).toBe('API-Schlüssel');
  screen.getByText('zw_live_ganz');
  await user.click(block);
  await screen.findByRole('dialog');
  expect(focused()).toBe('Abbrechen');
  await user.keyboard('{Enter}');
  await expect.poll(focused).toBe('Schlüssel „Probe“ sperren');
  await user.keyboard('{Enter}');
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sperren' }));
  await screen.findByText('Schlüssel „Probe“ ist gesperrt.');
  await expect.poll(focused).toBe('API-Schlüssel');
  expect(sent('schluesselAnlegen')).toMatchObject([{ name: 'Probe' }]);
});

const used = (
  change: Partial<Schluessel>,
  verbrauch: Partial<NonNullable<Schluessel['verbrauch']>>,
): Schluessel => ({
  ...key,
  ...change,
  verbrauch: {
    letzter_aufruf_am: '2026-11-20T10:00:00Z',
    aufrufe: 1_234,
    unbepreist: 0,
    kosten_eur: '56.78',
    uhr_abweichung_s: null,
    luecken: { aufrufe: 0, ohne_lauf: 0, ohne_fingerabdruck: 0, ohne_endkunde: 0, adresse_als_anbieter: 0 },
    ...verbrauch,
  },
});
const gaps = {
  aufrufe: 1_000,
  ohne_lauf: 250,
  ohne_fingerabdruck: 0,
  ohne_endkunde: 1_000,
  adresse_als_anbieter: 0,
};
const complete = { ...gaps, ohne_lauf: 0, ohne_endkunde: 0 };
const three = [
  used(
    { name: 'Alt', schluessel_id: '0190a000-0000-7000-8000-00000000000a', status: 'gesperrt' },
    { luecken: gaps },
  ),
  used(
    { name: 'Produktion', schluessel_id: '0190a000-0000-7000-8000-00000000000b' },
    { luecken: gaps, unbepreist: 12 },
  ),
  used(
    { name: 'Probe', schluessel_id: '0190a000-0000-7000-8000-00000000000c' },
    { luecken: complete, letzter_aufruf_am: '2026-11-21T10:00:00Z', kosten_eur: '1.5' },
  ),
];

test('each key says what came by it, what that lacks, and what to add', async () => {
  const { user } = await openAt(PAGE, { answers: keeping(...three) });
  const rows = async () => (await screen.findAllByRole('row')).slice(1);
  const [, second, third] = (await rows()).map((row) => within(row));
  second?.getByText('1.234');
  second?.getByText('davon 12 ohne Preis');
  second?.getByText(/^56,78/);
  expect(third?.queryByText(/^Es fehlt/)).toBeNull();
  const line = second?.getByRole('button', {
    name: /^Es fehlt: Lauf 25\s%, Endkunde 100\s%$/,
  }) as HTMLElement;
  expect(line.getAttribute('aria-expanded')).toBe('false');
  await user.click(line);
  screen.getByRole('heading', { name: 'Was den letzten 1.000 Aufrufen von „Produktion“ fehlt' });
  screen.getByText('Abhilfe: zw.run({ endkunde }, …), oder endkunde_ref mitsenden.');
  await user.click(line);
  expect(screen.queryByText(/^Abhilfe/)).toBeNull();
});

test('a key whose sender has a wrong clock says so', async () => {
  const behind = used(
    { name: 'Amerika', schluessel_id: '0190a000-0000-7000-8000-00000000000d' },
    { luecken: complete, uhr_abweichung_s: 3 * 3_600 },
  );
  const ahead = used(
    { name: 'Asien', schluessel_id: '0190a000-0000-7000-8000-00000000000e' },
    { luecken: complete, uhr_abweichung_s: -9 * 3_600 },
  );
  await openAt(PAGE, { answers: keeping(behind, ahead, ...three) });
  const [first, second, ...others] = (await screen.findAllByRole('row')).slice(1).map((row) => within(row));
  first?.getByText(/^Uhr des Senders geht 3.* nach$/);
  second?.getByText(/^Uhr des Senders geht 9.* vor$/);
  for (const other of others) expect(other.queryByText(/^Uhr/)).toBeNull();
});

const connected = (change: object) => ({
  cockpitAnbindung: answerOf('cockpitAnbindung', {
    erster_aufruf_am: '2026-11-01T10:00:00Z',
    luecken: gaps,
    ...change,
  }),
});

test('where programs connect stands what the calls of each key lack that still sends', async () => {
  await openAt('/anbindung', { answers: connected({ schluessel: three }) });
  await screen.findByRole('heading', { name: 'Was den letzten 1.000 Aufrufen von „Produktion“ fehlt' });
  screen.getByText(
    'Die letzten 1.000 Aufrufe von „Probe“ nennen Lauf, Fingerabdruck, Endkunden und Anbieter.',
  );
  expect(screen.queryByText(/„Alt“ fehlt/)).toBeNull();
});

test('… and what all of them lack for those who see no keys', async () => {
  await openAt('/anbindung', { answers: connected({ schluessel: null }) });
  await screen.findByRole('heading', { name: 'Was den letzten 1.000 Aufrufen fehlt' });
});

test('the page is for those who may administer keys', async () => {
  await openAt(PAGE, { ich: signedIn({ rolle: 'betrachter' }) });
  await screen.findByText('Dazu fehlt Ihnen das Recht.');
});
