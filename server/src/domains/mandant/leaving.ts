/** How long a cancelled Mandant can come back. */
const DAY = 24 * 3_600_000;

/** From the cancellation until its data may be removed; so long the operator can take the cancellation back. */
export const DELETION_AFTER_DAYS = 30;

/** The first instant at which everything may be removed: 30 times 24 hours after the cancellation. */
export const loeschungAb = (gekuendigtAm: string): Date =>
  new Date(Date.parse(gekuendigtAm) + DELETION_AFTER_DAYS * DAY);
