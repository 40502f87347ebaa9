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

function faultText(t: TFunction, fault: Fault): string {
  const { type, ctx = {} } = fault;
  if (type === 'missing') return t('fault.missing');
  if (type === 'string_too_short') {
    const count = Number(ctx.min_length);
    return count > 1 ? t('fault.tooShort', { count }) : t('fault.missing');
  }
  if (type === 'string_too_long') return t('fault.tooLong', { count: Number(ctx.max_length) });
  if (type === 'greater_than_equal') return t('fault.atLeast', { bound: Number(ctx.ge) });
  if (type === 'less_than_equal') return t('fault.atMost', { bound: Number(ctx.le) });
  if (type === 'decimal_parsing') return t('fault.number');
  if (type.startsWith('int_')) return t('fault.whole');
  if (type === 'value_error') {
    const field = fieldOf(fault);
    if (hasWanted(field)) return t(wanted[field]);
    // The service's own reason, in the language of the cockpit.
    return typeof ctx.error === 'string' ? clauseToSentence(ctx.error) : t('fault.value');
  }
  return t('fault.other');
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

  /**
   * One sentence for any error: the service's own, else ours for the code, else what the status tells.
   */
  const sentence = (error: unknown): string => {
    if (!(error instanceof ApiError)) return t('error.unexpected');
    if (error.status === 0) return t(error.code === 'antwortet_nicht' ? 'error.silent' : 'error.unreachable');
    // An address that names nothing that could be there: nobody has typed it into a field.
    if (error.status === 422)
      return t(error.faults[0]?.loc[0] === 'path' ? 'error.notFound' : 'error.invalid');
    if (error.status === 429) return waitText(error.retryAfter ?? 60);
    if (error.detail) return error.detail;
    const own = codeText(error.code);
    if (own !== null) return own;
    return t(byStatus[error.status] ?? 'error.unexpected');
  };

  /** The sentence beside a field, if the service found fault with it. */
  const fieldError = (error: unknown, field: string): string | undefined => {
    if (!(error instanceof ApiError)) return undefined;
    const fault = error.faults.find((candidate) => fieldOf(candidate) === field);
    return fault && faultText(t, fault);
  };

  return { sentence, codeText, fieldError };
}
