/** Quotas: how other pages write them, and the fields in which they are changed. */
export { changeOfQuota, draftOfQuota, QUOTA_FIELDS, type QuotaDraft } from './draft.ts';
export { QuotaFields } from './quota-fields.tsx';
export { useQuotaText } from './use-quota-text.ts';
