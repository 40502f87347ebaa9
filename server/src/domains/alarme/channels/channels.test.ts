/** What is said through each channel, by what its receivers document. */
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { toMail } from '#domains/postausgang/index.ts';
import { letterOf } from './email.ts';
import type { Message } from './message.ts';
import { ntfyRequest } from './ntfy.ts';
import { slackRequest } from './slack.ts';
import { teamsRequest } from './teams.ts';
import { webhookRequest } from './webhook.ts';

const MESSAGE: Message = {
  id: '0195c0de-0000-7000-8000-000000000001',
  art: 'alarm',
  stufe: 'anhalten',
  titel: 'Lauf „Größe“ angehalten',
  text: 'Der Lauf drehte sich im Kreis.\nEr kostete 1.234,50 €.',
  cockpitUrl: 'https://zw.example.org/befunde/1?a=b&c=d',
  zeitpunkt: '2026-05-04T12:30:15+02:00',
  sprache: 'de',
};
const HOSTILE: Message = {
  ...MESSAGE,
  titel: '<!channel> *fett* [Klick](https://boese.example) <https://boese.example|hier> & "x"\r\nBcc: x@y.z',
  text: '<@U123> <script>alert(1)</script> [Klick](https://boese.example)\nboese.example',
};
const LONG: Message = { ...MESSAGE, titel: 'ä&'.repeat(5_000), text: '<ß🦊>'.repeat(20_000) };

const bodyOf = ({ body }: { body: string }) => JSON.parse(body);

describe('Slack', () => {
  test('gets blocks, and a text for notifications', () => {
    const { headers, body } = slackRequest(MESSAGE);
    expect(headers).toEqual({ 'content-type': 'application/json' });
    expect(JSON.parse(body)).toEqual({
      text: 'Alarm: Lauf „Größe“ angehalten\nDer Lauf drehte sich im Kreis.\nEr kostete 1.234,50 €.',
      blocks: [
        {
          type: 'header',
          text: {
            type: 'plain_text',
            text: 'Alarm: Lauf „Größe“ angehalten',
            emoji: false,
          },
        },
        { type: 'section', text: { type: 'mrkdwn', text: MESSAGE.text, verbatim: true } },
        {
          type: 'context',
          elements: [
            {
              type: 'mrkdwn',
              text: '4. Mai 2026, 12:30 Uhr · <https://zw.example.org/befunde/1?a=b&amp;c=d|Im Cockpit öffnen>',
              verbatim: true,
            },
          ],
        },
      ],
    });
  });

  test('finds neither mentions nor links in names', () => {
    const { text, blocks } = bodyOf(slackRequest(HOSTILE));
    for (const mrkdwn of [text, blocks[1].text.text]) {
      expect(mrkdwn).not.toMatch(/[<>]/);
      expect(mrkdwn.replaceAll(/&(amp|lt|gt);/g, '')).not.toContain('&');
    }
    expect(blocks[2].elements[0].text.match(/</g)).toHaveLength(1);
  });

  test('gets no more than it takes', () => {
    const { text, blocks } = bodyOf(slackRequest(LONG));
    expect([...blocks[0].text.text].length).toBeLessThanOrEqual(150);
    expect(blocks[1].text.text.length).toBeLessThanOrEqual(3_000);
    expect(blocks[1].text.text).toMatch(/…$/);
    expect(text.length).toBeLessThan(40_000);
  });
});

describe('Teams', () => {
  test('gets an adaptive card that leads to the cockpit', () => {
    const { type, attachments } = bodyOf(teamsRequest(MESSAGE));
    expect([type, attachments.length]).toEqual(['message', 1]);
    const [{ contentType, content }] = attachments;
    expect(contentType).toBe('application/vnd.microsoft.card.adaptive');
    expect(content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' });
    expect(content.actions).toEqual([
      { type: 'Action.OpenUrl', title: 'Im Cockpit öffnen', url: MESSAGE.cockpitUrl },
    ]);
    const said = content.body.map((block: { inlines: { text: string }[] }) => block.inlines[0]?.text);
    expect(said).toEqual(['Alarm · 4. Mai 2026, 12:30 Uhr', MESSAGE.titel, ...MESSAGE.text.split('\n')]);
  });

  test('gets names where no markup holds, and no more than it takes', () => {
    const [{ content }] = bodyOf(teamsRequest(HOSTILE)).attachments;
    for (const block of content.body) expect(block.type).toBe('RichTextBlock');
    expect(Buffer.byteLength(teamsRequest(LONG).body)).toBeLessThan(28_000);
  });
});

describe('ntfy', () => {
  /** As its server reads it. */
  const decoded = (header = '') =>
    Buffer.from(/^=\?UTF-8\?B\?([A-Za-z0-9+/]*=*)\?=$/.exec(header)?.[1] ?? '', 'base64').toString();

  test('gets the text, and everything else as headers of ASCII', () => {
    const { headers, body } = ntfyRequest(MESSAGE);
    expect(body).toBe(MESSAGE.text);
    expect(decoded(headers.title)).toBe('Alarm: Lauf „Größe“ angehalten');
    expect(headers).toMatchObject({ priority: '4', tags: 'rotating_light', click: MESSAGE.cockpitUrl });
  });

  test.each([
    [{ stufe: 'warnen' }, '3', 'warning'],
    [{ stufe: 'sperren' }, '5', 'rotating_light'],
    [{ stufe: 'sperren', art: 'entwarnung' }, '3', 'white_check_mark'],
    [{ stufe: 'warnen', art: 'sammlung' }, '3', 'inbox_tray'],
  ] as [Partial<Message>, string, string][])('tells how urgent %j is', (change, priority, tags) =>
    expect(ntfyRequest({ ...MESSAGE, ...change }).headers).toMatchObject({ priority, tags }),
  );

  test('gets no header that ends early, and no more than it takes as a message', () => {
    for (const value of Object.values(ntfyRequest(HOSTILE).headers)) expect(value).toMatch(/^[\x20-\x7e]*$/);
    expect(Buffer.byteLength(ntfyRequest(LONG).body)).toBeLessThanOrEqual(4_096);
    expect(decoded(ntfyRequest(LONG).headers.title).length).toBeLessThanOrEqual(200);
  });
});

describe('the general webhook', () => {
  test('gets these six fields', () => {
    const { headers, body } = webhookRequest(MESSAGE, null, new Date());
    expect(JSON.parse(body)).toEqual({
      quelle: 'Zählwerk',
      typ: 'alarm',
      titel: MESSAGE.titel,
      text: MESSAGE.text,
      cockpit_url: MESSAGE.cockpitUrl,
      zeitpunkt: '2026-05-04T12:30:15+02:00',
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': `msg_${MESSAGE.id}`,
    });
  });
});

const STOP = {
  seite: 'https://zw.example.org/post?token=t',
  klick: 'https://zw.example.org/v1/post/abmelden?token=t',
};

describe('a mail', () => {
  test('says the same as text and HTML, in the language of the Mandant', async () => {
    const mail = toMail(letterOf({ ...MESSAGE, sprache: 'en', stufe: 'warnen' }, 'a@example.org', STOP));
    expect(mail).toMatchObject({ an: 'a@example.org', betreff: 'Warning: Lauf „Größe“ angehalten' });
    expect(mail.html).toContain('<html lang="en">');
    for (const part of ['Der Lauf drehte sich im Kreis.', '4 May 2026, 12:30', 'Open in the cockpit']) {
      expect(mail.text).toContain(part);
      expect(mail.html).toContain(part);
    }
    expect(mail.text).toContain(`\n${MESSAGE.cockpitUrl}\n`);
    expect(mail.html).toContain('href="https://zw.example.org/befunde/1?a=b&amp;c=d"');
  });

  test('adds no header, no markup and no link of its own', async () => {
    const mail = toMail(letterOf(HOSTILE, 'a@example.org', STOP));
    expect(mail.betreff).not.toMatch(/[\r\n]/);
    expect(mail.html).not.toContain('<script');
    // To the cockpit, and to stop them.
    expect(mail.html.match(/<a /g)).toHaveLength(2);
    // What programs would make a link of is taken apart by a character of no width.
    for (const text of [mail.text, mail.html]) expect(text).not.toContain('boese.example');
    const { headers } = await PostalMime.parse(`Subject: ${mail.betreff}\r\n\r\nx`);
    expect(headers.map(({ key }) => key)).toEqual(['subject']);
  });
});
