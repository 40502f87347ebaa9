/** A quota as it stands in the form, and what of it is sent. */
import type { Schluessel } from '../../api/types.ts';
import type { Language } from '../../format/number.ts';
import { readWhole } from '../../format/typed-number.ts';

export const QUOTA_FIELDS = ['anfragen_je_minute', 'ereignisse_je_minute'] as const;

/** Of a key or a Mandant; null where nothing is said. */
export type Quota = Pick<Schluessel, (typeof QUOTA_FIELDS)[number]>;

/** Both as typed; empty: nothing is said. */
export type QuotaDraft = Record<keyof Quota, string>;

export const draftOfQuota = (quota: Quota): QuotaDraft => ({
  anfragen_je_minute: String(quota.anfragen_je_minute ?? ''),
  ereignisse_je_minute: String(quota.ereignisse_je_minute ?? ''),
});

/** Only what differs, null for what was emptied. What is no whole number goes as it was typed, so that the service says so. */
export function changeOfQuota(before: QuotaDraft, after: QuotaDraft, language: Language): Partial<Quota> {
  const read = (text: string) => (text.trim() === '' ? null : readWhole(text, language));
  const changed = QUOTA_FIELDS.filter((field) => read(before[field]) !== read(after[field]));
  return Object.fromEntries(changed.map((field) => [field, read(after[field])]));
}
