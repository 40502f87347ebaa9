/**
 * The data of every event of a server-sent event stream, in order (WHATWG HTML 9.2.6).
 * An event that the end of the text cuts off is kept: a recording may stop short, and its counts still hold.
 */
export function sseData(stream: string): string[] {
  const events: string[] = [];
  let lines: string[] = [];
  const dispatch = () => {
    if (lines.length > 0) events.push(lines.join('\n'));
    lines = [];
  };
  for (const line of stream.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    if (line === '') dispatch();
    else if (line.startsWith('data:')) lines.push(line.slice(5).replace(/^ /, ''));
  }
  dispatch();
  return events;
}

/** Whether the text has the form of a server-sent event stream. */
export function isSse(body: string): boolean {
  return /^\uFEFF?(data|event|id|retry|):/m.test(body);
}
