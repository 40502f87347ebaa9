/** Errors as sentences of the reader's language. */
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../format/number.ts';
import type { de } from '../i18n/de.ts';
import { clauseToSentence } from './clause.ts';
import { ApiError, type Fault } from './error.ts';

/** A fault names its field by the last word of `loc`: `["body", "passwort"]`, `["body", "domains", 0]`. */
const fieldOf = (fault: Fault) => String(fault.loc.findLast((part) => typeof part === 'string') ?? '');

/** What a value that is refused by a rule of the service should have been, by its field. */
const wanted = {
  email: 'fault.email',
  passwort: 'fault.password',
  neu: 'fault.password',
  farbe: 'fault.colour',
  domains: 'fault.domain',
  logo_url: 'fault.address',
  chatA_webhook: 'fault.address',
  chatB_webhook: 'fault.address',
  push_url: 'fault.address',
  webhook_url: 'fault.address',
} as const;

const hasWanted = (field: string): field is keyof typeof wanted => Object.hasOwn(wanted, field);

type Code = keyof typeof de.code;

const byStatus: Record<number, `error.${'unauthorised' | 'forbidden' | 'notFound' | 'conflict'}`> = {
  401: 'error.unauthorised',
  403: 'error.forbidden',
  404: 'error.notFound',
  409: 'error.conflict',
};

/** Where one character would do, nothing was given. */
function tooShortText(t: TFunction, { ctx }: Fault): string {
  const count = Number(ctx?.min_length);
  return count > 1 ? t('fault.tooShort', { count }) : t('fault.missing');
}

/** What a rule of the service asks for. */
function ruleText(t: TFunction, fault: Fault): string {
  const field = fieldOf(fault);
  if (hasWanted(field)) return t(wanted[field]);
  // The service's own reason, in the language of the cockpit.
  const reason = fault.ctx?.error;
  return typeof reason === 'string' ? clauseToSentence(reason) : t('fault.value');
}

const byType = new Map<string, (t: TFunction, fault: Fault) => string>([
  ['missing', (t) => t('fault.missing')],
  ['string_too_short', tooShortText],
  ['string_too_long', (t, { ctx }) => t('fault.tooLong', { count: Number(ctx?.max_length) })],
  ['greater_than_equal', (t, { ctx }) => t('fault.atLeast', { bound: Number(ctx?.ge) })],
  ['less_than_equal', (t, { ctx }) => t('fault.atMost', { bound: Number(ctx?.le) })],
  ['decimal_parsing', (t) => t('fault.number')],
  ['value_error', ruleText],
]);

function faultText(t: TFunction, fault: Fault): string {
  if (fault.type.startsWith('int_')) return t('fault.whole');
  return byType.get(fault.type)?.(t, fault) ?? t('fault.other');
}

/** Sentences for what went wrong, bound to the reader's language. */
export function useErrorText() {
  const { t, i18n } = useTranslation();

  /**
   * The sentence for a code of the service, if we have one. They come with the texts of the first page that is not the overview;
   * before that there is the service's own.
   */
  const codeText = (code: string): string | null =>
    i18n.exists(`code.${code}`) ? t(`code.${code as Code}`) : null;

  const waitText = (seconds: number): string => {
    const time = formatDuration(seconds * 1000, i18n.language === 'en' ? 'en' : 'de');
    return `${t('error.tooMany')} ${t('error.waitFor', { time })}`;
  };

  /** Of errors that the service has no sentence for, or none for readers. */
  const ownText = ({ status, code, faults, retryAfter }: ApiError): string | null => {
    if (status === 0) return t(code === 'antwortet_nicht' ? 'error.silent' : 'error.unreachable');
    // An address that names nothing that could be there: nobody has typed it into a field.
    if (status === 422) return t(faults[0]?.loc[0] === 'path' ? 'error.notFound' : 'error.invalid');
    return status === 429 ? waitText(retryAfter ?? 60) : null;
  };

  /**
   * One sentence for any error: the service's own, else ours for the code, else what the status tells.
   */
  const sentence = (error: unknown): string => {
    if (!(error instanceof ApiError)) return t('error.unexpected');
    const said = ownText(error) ?? (error.detail || codeText(error.code));
    return said ?? t(byStatus[error.status] ?? 'error.unexpected');
  };

  /** The sentence beside a field, if the service found fault with it. */
  const fieldError = (error: unknown, field: string): string | undefined => {
    if (!(error instanceof ApiError)) return undefined;
    const fault = error.faults.find((candidate) => fieldOf(candidate) === field);
    return fault && faultText(t, fault);
  };

  return { sentence, codeText, fieldError };
}
