/** The first chat channel: an incoming webhook of Slack (or what speaks like one). */
import {
  type ChannelRequest,
  kindInWords,
  type Message,
  openInWords,
  shortened,
  timeInWords,
} from './message.ts';

// Bounds of Slack, with room for what escaping adds.
const HEADER = 150;
const SECTION = 2_900;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Nothing in it mentions anybody, is a link or ends one. */
const escaped = (text: string) => text.replace(/[&<>]/g, (character) => ESCAPES[character] as string);

/** As much of it as fits once it is escaped. */
function fitting(text: string): string {
  let most = SECTION;
  while (escaped(shortened(text, most)).length > SECTION) most = Math.floor(most * 0.8);
  return escaped(shortened(text, most));
}

export function slackRequest(message: Message): ChannelRequest {
  const { titel, text, cockpitUrl } = message;
  const headline = `${kindInWords(message)}: ${titel}`;
  const mrkdwn = (content: string) => ({ type: 'mrkdwn', text: content, verbatim: true });
  const link = `<${escaped(cockpitUrl)}|${escaped(openInWords(message))}>`;
  const body = {
    // For notifications, and for what shows no blocks.
    text: fitting(`${headline}\n${text}`),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: shortened(headline, HEADER), emoji: false } },
      { type: 'section', text: mrkdwn(fitting(text)) },
      { type: 'context', elements: [mrkdwn(`${timeInWords(message)} · ${link}`)] },
    ],
  };
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
