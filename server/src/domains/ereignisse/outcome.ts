/**
 * How a call ended, by its status. One that a person or a program wanted no more of (`abgebrochen`) has not failed: its cost is no burnt
 * money. Calls received before that was told apart were counted as failed, and stay so: sums and events say the same.
 */
import { SENT_FIELDS } from '#contracts';

export const SUCCESS: string = SENT_FIELDS.status.default;
const ABORTED = 'abgebrochen';
const TOLD_APART_FROM = '2026-11-27T06:00:00Z';
const TOLD_APART_SECONDS = Date.parse(TOLD_APART_FROM) / 1_000;

/** Whether a call received then (seconds since 1970) has failed. */
export const isFailure = (status: string, receivedSeconds: number): boolean =>
  status !== SUCCESS && (status !== ABORTED || receivedSeconds < TOLD_APART_SECONDS);

/** The same of a row `e` of `ereignisse`, as SQL. */
export const FAILURE = `(e.status <> '${SUCCESS}' AND (e.status <> '${ABORTED}' OR e.empfangen_am < timestamptz '${TOLD_APART_FROM}'))`;
