/** When what happens after a cancellation. */
export { DELETION_AFTER_DAYS, loeschungAb } from '#domains/mandant/index.ts';

/** How long before the removal the account is reminded. */
export const REMINDER_DAYS = 7;
