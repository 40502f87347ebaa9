/** What a request asks that the model has not answered yet: step 1 of docs/fingerprints.md. */
import { at, list, text } from '../json.ts';
import { canonicalJson } from './canonical-json.ts';
import { mark, type Word, wordsOf } from './words.ts';

const INSTRUCTIONS = new Set(['system', 'developer']);
const MODEL = new Set(['assistant', 'model', 'chatbot']);
/** Items of OpenAI's responses that the model has written, besides messages. */
const WRITTEN_BY_MODEL = /(^reasoning|_call|^item_reference|^compaction)$/;
/** Under which names requests without messages have their text, the first of them that is there. */
const TEXTS = ['prompt', 'input', 'inputText', 'message', 'query', 'texts', 'inputs', 'content', 'text'];
/** Where messages have what they say, the first of them that is there. */
const CONTENTS = ['content', 'parts', 'output', 'message'];

/** Pieces that are read, the last ones. */
const READ_AT_MOST = 32;

/** A text, or the mark that stands for something that is no text. */
type Piece = string | { mark: Word };

const isThere = (value: unknown): boolean => value !== undefined && value !== null;
const roleOf = (message: unknown) => (text(at(message, 'role')) ?? '').toLowerCase();

const isByModel = (message: unknown): boolean =>
  MODEL.has(roleOf(message)) || WRITTEN_BY_MODEL.test(text(at(message, 'type')) ?? '');

/** The messages, where the request has any. */
function messagesOf(request: unknown): unknown[] | null {
  const found = ['messages', 'contents', 'input'].map((name) => at(request, name)).find(Array.isArray);
  return found?.some((each: unknown) => typeof each === 'object') ? found : null;
}

/** The last messages that the model did not write: those after its last answer; those before it, where an answer of it is begun at the end. */
function unanswered(messages: unknown[]): unknown[] {
  const asked = messages.filter((message) => !INSTRUCTIONS.has(roleOf(message)));
  const end = asked.findLastIndex((message) => !isByModel(message)) + 1;
  const begin = asked.slice(0, end).findLastIndex(isByModel) + 1;
  return asked.slice(begin, end);
}

/** The longest text anywhere in a value: the bytes or the address of a picture. */
function longestText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value)
    .map(longestText)
    .reduce((longest, each) => (each.length > longest.length ? each : longest), '');
}

/** A picture, a file: its length and its end tell it from others. */
function attachmentOf(block: unknown): Piece {
  const longest = longestText(block);
  return { mark: mark(`${longest.length}.${longest.slice(-32)}`) };
}

/** What a tool has answered, in the forms of the providers; undefined where the block is none. */
function toolResultIn(block: unknown): unknown {
  return (
    at(block, 'functionResponse', 'response') ??
    at(block, 'toolResult', 'content') ??
    (at(block, 'type') === 'tool_result' ? (at(block, 'content') ?? '') : undefined)
  );
}

/** What a block of a message says: a text, what a tool answered, something else. */
function piecesOfBlock(block: unknown): Piece[] {
  if (typeof block === 'string') return [block];
  const said = at(block, 'text');
  if (typeof said === 'string') return [said];
  const result = toolResultIn(block);
  if (result !== undefined) return piecesOfContent(result);
  const json = at(block, 'json');
  return [json === undefined ? attachmentOf(block) : canonicalJson(json)];
}

/** Blocks in their order; a value that is no block as its JSON text. */
function piecesOfContent(content: unknown): Piece[] {
  if (Array.isArray(content)) return content.flatMap(piecesOfBlock);
  return [typeof content === 'string' ? content : canonicalJson(content)];
}

function piecesOfMessage(message: unknown): Piece[] {
  const content = CONTENTS.map((name) => at(message, name)).find(isThere);
  return content === undefined ? piecesOfBlock(message) : piecesOfContent(content);
}

/** Pieces of a request without messages. */
function piecesOfTexts(request: unknown): Piece[] {
  const asked = [TEXTS.map((name) => at(request, name)).find(isThere), ...list(at(request, 'documents'))];
  return asked
    .filter(isThere)
    .flatMap((each) => (Array.isArray(each) ? each : [each]).flatMap(piecesOfMessage));
}

/** The words of what a request asks anew, in their order; none where it asks nothing that can be read. */
export function newInput(request: unknown): Word[] {
  const messages = messagesOf(request);
  const pieces = messages ? unanswered(messages).flatMap(piecesOfMessage) : piecesOfTexts(request);
  const read = pieces.slice(-READ_AT_MOST);
  const words: Word[] = [];
  for (const piece of read) {
    if (typeof piece === 'string') for (const word of wordsOf(piece)) words.push(word);
    else words.push(piece.mark);
  }
  if (pieces.length > read.length) words.push(mark(String(pieces.length)));
  return words;
}
