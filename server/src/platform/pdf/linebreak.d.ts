/** As far as it is used. */
declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    /** The end of the next piece that may stand on a line of its own, with the spaces after it; null at the end of the text. */
    nextBreak(): { position: number; required: boolean } | null;
  }
}
