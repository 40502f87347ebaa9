/** What people who get mail of a Mandant say about it, by the links in that mail. */
import { boolean, component, field, oneOf, operation, secret, Type, text } from '../kit/index.ts';

const token = () => field(secret({ max: 1_000 }), 'The secret of the link.');

const Postempfang = component('Postempfang', 'Whether mail of one kind goes to an address.', {
  art: field(
    oneOf('alarm', 'abrechnung'),
    'The kind of mail: alarms, or statements of what an end customer is charged.',
  ),
  firma: field(text(), 'The company it is from.', 'Muster GmbH'),
  adresse: field(text(), 'The address it goes to.', 'anna@example.org'),
  empfang: field(
    oneOf('bestaetigt', 'wartet', 'abgemeldet'),
    'It goes there; it does not before somebody there has agreed; somebody there does not want it.',
  ),
});

export const postEmpfangLesen = operation({
  id: 'postausgang.empfang_lesen',
  method: 'GET',
  path: '/v1/post/empfang',
  summary: 'Welche Mails der Link betrifft und ob sie an die Adresse gehen.',
  description: 'Which mail a link is about, and whether it goes to the address. Changes nothing.',
  access: { kind: 'public' },
  refuses: { 404: ['link_ungueltig'] },
  query: Type.Object({ token: token() }),
  response: Postempfang,
});

export const postEmpfangSetzen = operation({
  id: 'postausgang.empfang_setzen',
  method: 'POST',
  path: '/v1/post/empfang',
  summary: 'Bestätigt, dass Mails dieser Art an die Adresse gehen sollen, oder meldet sie ab.',
  description: 'Agrees to mail of this kind, or stops it; for recipients, who have the link of a mail.',
  access: { kind: 'public' },
  refuses: { 404: ['link_ungueltig'] },
  body: component('PostempfangEingabe', 'What somebody at the address wants.', {
    token: token(),
    empfangen: field(boolean(), 'Whether the mail may go there.'),
  }),
  response: Postempfang,
});

export const postAbmelden = operation({
  id: 'postausgang.abmelden',
  method: 'POST',
  path: '/v1/post/abmelden',
  summary: 'Meldet die Adresse mit einem Klick des Mailprogramms ab (RFC 8058).',
  description:
    'Stops mail of this kind. Mail programs call it as RFC 8058 says (`List-Unsubscribe-Post: List-Unsubscribe=One-Click`); whatever body they send is not read.',
  access: { kind: 'public' },
  refuses: { 404: ['link_ungueltig'] },
  query: Type.Object({ token: token() }),
  response: Postempfang,
});
