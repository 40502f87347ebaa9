/** What an answer looks like that is no success: one of two bodies, one of these statuses. */
import Type from 'typebox';
import { ERROR_CODES, type ErrorCode } from '../error-codes.ts';
import { component, field, oneOf, record, text } from './types.ts';

const meanings = Object.entries(ERROR_CODES).map(([code, meaning]) => `- \`${code}\`: ${meaning}`);

export const Fehler = component('Fehler', 'Why a request was refused.', {
  detail: field(
    text(),
    'A sentence for people, German, or English where `Accept-Language` prefers it; its wording may change.',
  ),
  code: Type.Optional(
    field(
      oneOf(...(Object.keys(ERROR_CODES) as ErrorCode[])),
      `Stays the same when the sentence changes. Missing for a body that is no JSON at all.\n\n${meanings.join('\n')}`,
    ),
  ),
});

export const ValidationError = component('ValidationError', 'One fault of a request.', {
  loc: field(
    Type.Array(Type.Union([Type.String(), Type.Integer()])),
    'Where the fault lies: the part of the request (`path`, `query`, `header`, `body`), then names of fields and places in lists.',
    ['body', 'ereignisse', 3, 'eingabe_token'],
  ),
  msg: field(text(), 'What is wrong, in English.', 'Field required'),
  type: field(text(), 'The kind of fault, as Pydantic v2 names it.', 'missing'),
  input: Type.Optional(
    field(Type.Unknown(), 'The refused value; left out where it is a secret or too large to repeat.'),
  ),
  ctx: Type.Optional(
    field(record(), 'Bounds and reasons the message is made of, by their names.', { min_length: 10 }),
  ),
});

export const HTTPValidationError = component('HTTPValidationError', 'Every fault that was found.', {
  detail: field(Type.Array(ValidationError), 'The faults in the order of the fields.'),
});

/** Statuses of refusals, and what each of them says in general. */
export const REFUSAL_STATUS = {
  400: 'Die Anfrage ist nicht lesbar.',
  401: 'Ohne oder mit falschen Zugangsdaten.',
  403: 'Nicht erlaubt.',
  404: 'Gibt es nicht oder gehört einem anderen Mandanten.',
  408: 'Die Anfrage kam zu langsam.',
  409: 'Passt nicht zum Stand der Dinge.',
  413: 'Zu groß.',
  415: 'Der Inhalt ist von keiner bekannten Art.',
  421: 'Unter diesem Namen ist der Dienst nicht zu erreichen.',
  429: 'Zu viele Versuche.',
  431: 'Adresse und Kopfzeilen sind zusammen zu lang.',
  500: 'Ein Fehler des Dienstes.',
  502: 'Ein anderer Dienst hat abgelehnt.',
  503: 'Gerade nicht; die Anfrage darf wiederholt werden.',
} as const;

export type RefusalStatus = keyof typeof REFUSAL_STATUS;
export type Refusals = { readonly [S in RefusalStatus]?: readonly ErrorCode[] };
