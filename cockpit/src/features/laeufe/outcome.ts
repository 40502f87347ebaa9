/** How a call or a run ended, by its status. One that nobody wanted any more (`abgebrochen`) has not failed. */
export type Outcome = 'succeeded' | 'aborted' | 'failed';

export const outcomeOf = (status: string): Outcome =>
  status === 'erfolgreich' ? 'succeeded' : status === 'abgebrochen' ? 'aborted' : 'failed';
