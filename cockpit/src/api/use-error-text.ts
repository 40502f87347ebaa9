/** Errors as sentences of the reader's language. */
import { useTranslation } from 'react-i18next';
import { ApiError, type Fault } from './error.ts';

/** A fault names its field by the last word of `loc`: `["body", "passwort"]`. */
const fieldOf = (fault: Fault) => String(fault.loc.at(-1) ?? '');

export function useErrorText() {
  const { t, i18n } = useTranslation();

  /** One sentence for any error. The service's own German sentence, where there is one and it can be read. */
  const sentence = (error: unknown): string => {
    if (!(error instanceof ApiError)) return t('error.unexpected');
    if (error.status === 0) return t('error.unreachable');
    if (error.status === 422) return t('error.invalid');
    if (error.status === 429) return t('error.tooMany', { count: error.retryAfter ?? 60 });
    if (error.detail && i18n.language === 'de') return error.detail;
    if (error.status === 401) return t('error.unauthorised');
    if (error.status === 403) return t('error.forbidden');
    if (error.status === 404) return t('error.notFound');
    if (error.status === 409) return t('error.conflict');
    return t('error.unexpected');
  };

  const faultText = (fault: Fault): string => {
    const { type, ctx = {} } = fault;
    if (type === 'missing') return t('fault.missing');
    if (type === 'string_too_short') {
      const count = Number(ctx.min_length);
      return count > 1 ? t('fault.tooShort', { count }) : t('fault.missing');
    }
    if (type === 'string_too_long') return t('fault.tooLong', { count: Number(ctx.max_length) });
    if (type === 'value_error') return t(fieldOf(fault) === 'email' ? 'fault.email' : 'fault.value');
    return t('fault.other');
  };

  /** The sentence beside a field, if the service found fault with it. */
  const fieldError = (error: unknown, field: string): string | undefined => {
    if (!(error instanceof ApiError)) return undefined;
    const fault = error.faults.find((candidate) => fieldOf(candidate) === field);
    return fault && faultText(fault);
  };

  return { sentence, fieldError };
}
