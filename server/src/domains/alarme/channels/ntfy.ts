/** The push channel: a topic of ntfy, on its public server or one's own. */
import type { Stufe } from '#contracts';
import { type ChannelRequest, kindInWords, type Message, shortened } from './message.ts';

/** 3 is usual, 5 wakes people up. */
const PRIORITY: Record<Stufe, number> = { beobachten: 2, warnen: 3, drosseln: 4, anhalten: 4, sperren: 5 };
const USUAL = 3;
const TAG = {
  alarm: 'rotating_light',
  entwarnung: 'white_check_mark',
  sammlung: 'inbox_tray',
  probe: 'bell',
};

const TITLE = 200;
/** Of a longer text ntfy makes a file. */
const TEXT_BYTES = 4_000;

/** What may be no ASCII, as a header (RFC 2047), which ntfy reads. */
const encoded = (text: string) => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;

function fitting(text: string): string {
  let most = TEXT_BYTES;
  while (Buffer.byteLength(shortened(text, most)) > TEXT_BYTES) most = Math.floor(most * 0.8);
  return shortened(text, most);
}

export function ntfyRequest(message: Message): ChannelRequest {
  const { art, stufe, titel, text, cockpitUrl } = message;
  const isAlarm = art === 'alarm';
  return {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: encoded(shortened(`${kindInWords(message)}: ${titel}`, TITLE)),
      priority: String(isAlarm || art === 'sammlung' ? PRIORITY[stufe] : USUAL),
      tags: isAlarm && (stufe === 'beobachten' || stufe === 'warnen') ? 'warning' : TAG[art],
      click: cockpitUrl,
    },
    body: fitting(text),
  };
}
