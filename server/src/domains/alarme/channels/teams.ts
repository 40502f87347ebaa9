/** The second chat channel: a workflow of Microsoft Teams that takes webhook requests and posts their adaptive card. */
import {
  type ChannelRequest,
  kindInWords,
  type Message,
  openInWords,
  shortened,
  timeInWords,
} from './message.ts';

/** A message of Teams may have 28 KB. */
const TEXT = 6_000;
const TITLE = 300;

// Runs of text, not blocks: in those Markdown holds, and names could bring links along.
const paragraph = (text: string, look: object = {}) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, ...look }],
});

export function teamsRequest(message: Message): ChannelRequest {
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      paragraph(`${kindInWords(message)} · ${timeInWords(message)}`, { isSubtle: true, size: 'Small' }),
      paragraph(shortened(message.titel, TITLE), { weight: 'Bolder', size: 'Large' }),
      ...shortened(message.text, TEXT)
        .split('\n')
        .map((line) => paragraph(line)),
    ],
    actions: [{ type: 'Action.OpenUrl', title: openInWords(message), url: message.cockpitUrl }],
  };
  const attachment = {
    contentType: 'application/vnd.microsoft.card.adaptive',
    contentUrl: null,
    content: card,
  };
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'message', attachments: [attachment] }),
  };
}
