/** Which model an item of a bill is of. */

/** How the names of the providers' models begin; what begins otherwise is a tool, storage, or a group of models. */
const FAMILY =
  /^(?:ft:)?(?:(?:gpt|chatgpt|codex|text-embedding|text-moderation|omni-moderation|dall-e|whisper|tts|sora|computer-use|davinci|babbage|claude)-[a-z0-9]|o[1-9](?:-|$))/;
/** An item of a model says what of it was charged, after the first comma. */
const PART =
  /^(?:(?:cached|uncached|text|audio|image|batch|flex|priority|training|reasoning|cache)[ _-]+)*(?:input|output|tokens?|requests?|training|images?|audio|minutes?|characters?|seconds?|read|write)(?:[ _-]+(?:tokens?|cached|read|write|5m|1h))*$/i;

/** `Claude 3.5 Sonnet 2024-10-22`, `GPT-4o mini`: the name as it is called by, without blanks and points of Claude. */
function idOf(name: string): string | null {
  if (/^ft:\S+$/.test(name)) return FAMILY.test(name) ? name : null;
  const words = name.toLowerCase().replace(/\s+/g, '-');
  const id = words.startsWith('claude-')
    ? words.replace(/(\d{4})-(\d{2})-(\d{2})$/, '$1$2$3').replaceAll('.', '-')
    : words;
  return FAMILY.test(id) &&
    /^[a-z0-9._:-]+$/.test(id) &&
    !/-(?:models?|tools?|calls?|sessions?|storage|search)$/.test(id)
    ? id
    : null;
}

/**
 * The model of an item of a bill: `GPT-4o mini, input` is of `gpt-4o-mini`, `Claude Haiku 4.5` of `claude-haiku-4-5`. Null for whatever is not
 * plainly one (`Web search tool calls`, `Fine-tuning models`).
 */
export function modelOf(posten: string): string | null {
  const [name = '', ...parts] = posten.split(/\s*[,|]\s*/);
  return parts.every((part) => PART.test(part)) ? idOf(name) : null;
}
