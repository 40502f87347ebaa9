const MOST = 100;

/** A name of at most a hundred code points: cut between bytes, half a surrogate pair would be no text any more. */
export const shorten = (text: string): string =>
  text.length <= MOST ? text : [...text].slice(0, MOST).join('');
