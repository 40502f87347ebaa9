/** Getting in and staying safe: what the forms say, and what they send. */
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';
import { signedIn } from '../../../test/people.ts';
import { invalid, refused } from '../../../test/service.ts';
import type { Sitzung } from '../../api/types.ts';

const title = (name: string) => screen.findByRole('heading', { level: 1, name });
const SECURITY = '/einstellungen/sicherheit';

test('the login says what is wrong, and forgets it when the other way in is tried', async () => {
  const { user } = await openAt('/anmelden', {
    answers: {
      anmelden: refused(401, 'anmeldung_falsch', 'E-Mail-Adresse oder Passwort stimmt nicht.'),
      ssoStart: refused(
        404,
        'kein_firmenkonto',
        'Für anderswo.example ist hier kein Single Sign-on eingerichtet.',
      ),
    },
  });
  await title('Anmelden');
  const company = screen.getByRole('button', { name: 'Mit Single Sign-on anmelden' });
  await user.click(company);
  await screen.findByText('Bitte eine gültige E-Mail-Adresse angeben.');
  await user.type(screen.getByLabelText('E-Mail'), 'erika@anderswo.example');
  await user.click(company);
  await screen.findByText('Für anderswo.example ist hier kein Single Sign-on eingerichtet.');
  expect(screen.queryByText('Bitte eine gültige E-Mail-Adresse angeben.')).toBeNull();
  await user.type(screen.getByLabelText('Passwort'), 'falsch{Enter}');
  await screen.findByText('E-Mail-Adresse oder Passwort stimmt nicht.');
  expect(screen.queryByText(/kein Single Sign-on/)).toBeNull();
});

test('a second factor asks for its code, and takes a recovery code instead', async () => {
  const { user, sent } = await openAt('/anmelden', {
    answers: {
      anmelden: ({ body }) => {
        const { code } = body as { code?: string };
        if (code === undefined) return refused(401, 'code_noetig');
        return code === '123456' ? refused(401, 'code_falsch') : signedIn({ zweiter_faktor: true });
      },
    },
  });
  await user.type(await screen.findByLabelText('E-Mail'), 'anna@example.org');
  await user.type(screen.getByLabelText('Passwort'), 'ein-langes-passwort{Enter}');
  await user.type(await screen.findByLabelText('Code'), '123456{Enter}');
  await screen.findByText(/Der Code stimmt nicht/);
  await user.click(screen.getByRole('button', { name: 'Wiederherstellungscode verwenden' }));
  await user.type(screen.getByLabelText('Wiederherstellungscode'), 'abcd-efgh{Enter}');
  await title('Übersicht');
  expect(sent('anmelden')).toHaveLength(3);
});

test('a login that failed with the company account comes back with the reason', async () => {
  await openAt('/anmelden?fehler=sso_abgebrochen');
  await screen.findByText(/Der Anbieter hat die Anmeldung abgelehnt/);
});

test('the address is taken along to the page of a forgotten password; without a mail server it says where the link is', async () => {
  const { user, sent } = await openAt('/anmelden', {
    answers: { passwortVergessen: answerOf('passwortVergessen', { mailweg: 'log' } as never) },
  });
  await user.type(await screen.findByLabelText('E-Mail'), 'anna@example.org');
  await user.click(screen.getByRole('link', { name: 'Passwort vergessen?' }));
  await title('Passwort vergessen');
  expect(screen.getByLabelText('E-Mail')).toHaveProperty('value', 'anna@example.org');
  await user.click(screen.getByRole('button', { name: 'Link anfordern' }));
  await title('Der Link steht im Log');
  screen.getByText(/npm run betreiber -- link passwort anna@example.org/);
  expect(sent('passwortVergessen')).toMatchObject([{ email: 'anna@example.org' }]);
});

test('a password that is easy to guess is refused at its field; a dead link says so', async () => {
  let isDead = false;
  const { user } = await openAt('/passwort-neu?token=aus-einer-mail', {
    answers: {
      passwortNeu: () =>
        isDead
          ? refused(404, 'link_ungueltig')
          : invalid([['body', 'passwort'], 'value_error', { error: 'leicht zu erraten' }]),
    },
  });
  await user.type(await screen.findByLabelText('Neues Passwort'), 'passwort12');
  await user.click(screen.getByRole('button', { name: 'Passwort setzen' }));
  await screen.findByText('Dieses Passwort ist leicht zu erraten. Bitte ein anderes wählen.');
  isDead = true;
  await user.click(screen.getByRole('button', { name: 'Passwort setzen' }));
  await title('Dieser Link gilt nicht mehr');
});

test('recovery codes that are not kept yet are not left by accident', async () => {
  const { user, address } = await openAt(SECURITY, {
    answers: {
      zweiterFaktorEinrichten: answerOf('zweiterFaktorEinrichten', {
        otpauth_uri: 'otpauth://totp/x?secret=ABC',
      }),
      zweiterFaktorBestaetigen: answerOf('zweiterFaktorBestaetigen', {
        wiederherstellungscodes: ['eins', 'zwei'],
      }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Einrichten' }));
  await screen.findByRole('img', { name: 'QR-Code für die Authenticator-App' });
  await user.type(screen.getByLabelText('Code aus der App'), '123456');
  await user.click(screen.getByRole('button', { name: 'Einschalten' }));
  const codes = within(await screen.findByRole('list', { name: 'Wiederherstellungscodes' }));
  expect(codes.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['eins', 'zwei']);
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Profil' }));
  await screen.findByRole('dialog', { name: 'Codes noch nicht gesichert' });
  await user.click(screen.getByRole('button', { name: 'Bleiben' }));
  expect(address()).toBe(SECURITY);
  await user.click(screen.getByLabelText('Ich habe die Codes gesichert.'));
  await user.click(screen.getByRole('button', { name: 'Fertig' }));
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Wiederherstellungscodes' })).toBeNull());
});

test('the password is asked for again where the login was long ago', async () => {
  const { user, sent } = await openAt(SECURITY, {
    answers: { zweiterFaktorEinrichten: refused(403, 'anmeldung_zu_alt'), anmelden: signedIn() },
  });
  await user.click(await screen.findByRole('button', { name: 'Einrichten' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Bitte noch einmal anmelden' }));
  await user.type(dialog.getByLabelText('Passwort'), 'ein-langes-passwort');
  await user.click(dialog.getByRole('button', { name: 'Weiter' }));
  await waitFor(() => expect(sent('anmelden')).toMatchObject([{ passwort: 'ein-langes-passwort' }]));
});

test('another session is ended; one’s own says that it is', async () => {
  const [example] = answerOf('sitzungen').sitzungen as [Sitzung];
  let sitzungen = [
    { ...example, diese: true },
    {
      ...example,
      sitzung_id: example.sitzung_id.replace(/1$/, '2'),
      geraet: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/147.0 Safari/537.36',
    },
  ];
  const { user } = await openAt(SECURITY, {
    answers: {
      sitzungen: () => answerOf('sitzungen', { sitzungen }),
      sitzungBeenden: ({ params }) => {
        sitzungen = sitzungen.filter(({ sitzung_id }) => sitzung_id !== params.sitzung_id);
        return { beendet: 1 };
      },
    },
  });
  const list = within(await screen.findByRole('list', { name: 'Sitzungen' }));
  within(list.getAllByRole('listitem')[0]!).getByText('diese Sitzung');
  await user.click(list.getByRole('button', { name: /^Sitzung beenden: Chrome auf Linux/ }));
  await screen.findByText('Sitzung beendet.');
  await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1));
});

test('the profile sends what was changed; the weekly report is switched on and off', async () => {
  let wochenbericht = false;
  const { user, sent } = await openAt('/einstellungen/profil', {
    answers: {
      berichtaboLesen: () => answerOf('berichtaboLesen', { wochenbericht }),
      berichtaboSetzen: ({ body }) => {
        ({ wochenbericht } = body as { wochenbericht: boolean });
        return answerOf('berichtaboLesen', { wochenbericht }) as never;
      },
      profilAendern: signedIn({ name: 'Erika' }),
    },
  });
  const name = await screen.findByLabelText('Name');
  await user.clear(name);
  await user.type(name, 'Erika');
  await user.click(screen.getByRole('button', { name: 'Speichern' }));
  await screen.findByText('Profil gespeichert.');
  expect(sent('profilAendern')).toMatchObject([{ name: 'Erika' }]);
  const box = await screen.findByLabelText('Wochenbericht per Mail');
  await user.click(box);
  await screen.findByText('Der Wochenbericht kommt ab jetzt per Mail.');
  await user.click(box);
  await screen.findByText('Der Wochenbericht kommt nicht mehr per Mail.');
  expect(sent('berichtaboSetzen')).toEqual([{ wochenbericht: true }, { wochenbericht: false }]);
});
