import { ApiError } from '../../api/error.ts';

/** Whether a link from a mail is used up, too old or cut off: trying again does not help, another link does. */
export const isDeadLink = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 404 || error.faults.some((fault) => fault.loc.includes('token')));
