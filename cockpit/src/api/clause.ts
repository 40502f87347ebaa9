/** The reason of a fault as a sentence: the service gives it as a clause. */
export const clauseToSentence = (reason: string): string =>
  `${reason.charAt(0).toLocaleUpperCase()}${reason.slice(1)}${reason.endsWith('.') ? '' : '.'}`;
