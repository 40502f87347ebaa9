/**
 * A text as a cell of a CSV file: what a spreadsheet would take for a formula gets an apostrophe in front, which makes it
 * a text there. For texts only: a number with a minus in front is to stay one.
 */
export const csvText = (text: string): string => (/^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text);
