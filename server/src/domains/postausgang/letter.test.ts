import { expect, test } from 'vitest';
import { quotedName, toMail } from './letter.ts';

const LETTER = {
  an: 'a@example.org',
  betreff: 'Einladung zu Zählwerk',
  absaetze: ['Guten Tag,', 'Sie sind eingeladen.'],
  link: { text: 'Einladung annehmen', adresse: 'https://zw.example.org/einladung?token=abc&x=1' },
  hinweis: 'Der Link gilt 7 Tage.',
};

test('says the same as text and as HTML', () => {
  const mail = toMail(LETTER);
  expect(mail.an).toBe('a@example.org');
  expect(mail.betreff).toBe('Einladung zu Zählwerk');
  expect(mail.text).toBe(
    'Guten Tag,\n\nSie sind eingeladen.\n\nEinladung annehmen:\nhttps://zw.example.org/einladung?token=abc&x=1\n\nDer Link gilt 7 Tage.\n\n-- \nZählwerk',
  );
  for (const part of ['Guten Tag,', 'Sie sind eingeladen.', 'Einladung annehmen', 'Der Link gilt 7 Tage.'])
    expect(mail.html).toContain(`>${part}<`);
  expect(mail.html).toContain('href="https://zw.example.org/einladung?token=abc&amp;x=1"');
});

test('has a headline where one is given, and breaks names that are longer than a line', () => {
  const { text, html } = toMail({
    an: LETTER.an,
    betreff: 'b',
    titel: 'Schleife: <a>',
    absaetze: ['Nur das.'],
  });
  expect(text).toBe('Schleife: <a>\n\nNur das.\n\n-- \nZählwerk');
  expect(html).toMatch(/<h1 [^>]*>Schleife: &lt;a&gt;<\/h1>/);
  expect(html).toContain('overflow-wrap:anywhere');
});

test('leaves out what is not there', () => {
  const { text, html } = toMail({ an: LETTER.an, betreff: 'b', absaetze: ['Nur das.'] });
  expect(text).toBe('Nur das.\n\n-- \nZählwerk');
  expect(html).not.toContain('<a ');
});

test('takes nothing for markup', () => {
  const hostile = `<img src=x onerror="alert('1')">&amp;`;
  const { html, text } = toMail({
    ...LETTER,
    absaetze: [hostile],
    hinweis: hostile,
    link: { text: hostile, adresse: `https://x.example.org/"><script>` },
  });
  expect(html).not.toMatch(/<img|<script|onerror="/);
  expect(html.split('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;')).toHaveLength(4);
  expect(html).toContain('href="https://x.example.org/&quot;&gt;&lt;script&gt;"');
  expect(text).toContain(hostile);
});

test('makes one paragraph of each, whatever a name holds: nobody else adds a letter of their own', () => {
  const absaetze = ['Sie sind bei „A\r\n\nIhr Konto ist gesperrt:\u2028https://boese.example“ eingeladen.'];
  expect(toMail({ an: LETTER.an, betreff: 'b', absaetze, hinweis: 'x\ny' }).text).toBe(
    'Sie sind bei „A Ihr Konto ist gesperrt: https://boese.example“ eingeladen.\n\nx y\n\n-- \nZählwerk',
  );
});

test('makes one line of a subject, whatever a name holds', () => {
  const betreffOf = (firma: string) => toMail({ ...LETTER, betreff: `Einladung von ${firma}` }).betreff;
  expect(betreffOf('A\r\nBcc: b@example.org')).toBe('Einladung von A Bcc: b@example.org');
  expect(betreffOf('A\n\rB\u2028C\u2029D\u0000E\tF\u0085')).toBe('Einladung von A B C D E F');
  expect(betreffOf('Müller & Söhne 🦊')).toBe('Einladung von Müller & Söhne 🦊');
});

test('a name stands in quotes, of bounded length, ends none of them and is no link', () => {
  expect(quotedName('Müller & Söhne 🦊')).toBe('„Müller & Söhne 🦊“');
  expect(quotedName('A“ sagt „B" und \u202e»C«\r\nD')).toBe("„A' sagt 'B' und 'C' D“");
  expect(quotedName('Ltd', 'en')).toBe('“Ltd”');
  expect(quotedName('boese.example')).toBe('„boese.\u2060example“');
  const long = quotedName('x'.repeat(500));
  expect([...long]).toHaveLength(82);
  expect(long.endsWith('…“')).toBe(true);
});

test('a way to stop stands in text and HTML, and for mail programs', () => {
  const abbestellen = {
    text: 'Keine mehr',
    seite: 'https://zw.example.org/post?token=a&b',
    klick: 'https://zw.example.org/v1/post/abmelden?token=a',
  };
  const mail = toMail({ ...LETTER, abbestellen, antwortAn: 'chef@example.org' });
  expect(mail.text).toContain('Keine mehr:\nhttps://zw.example.org/post?token=a&b\n');
  expect(mail.html).toContain('href="https://zw.example.org/post?token=a&amp;b"');
  expect(mail).toMatchObject({
    abbestellen: abbestellen.klick,
    einKlick: true,
    antwortAn: 'chef@example.org',
  });
  expect(toMail(LETTER)).not.toHaveProperty('abbestellen');
});
