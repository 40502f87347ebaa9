/** What a file is not; the message says what to do with it, `what` which of these it is. */
export class NotImportable extends Error {
  readonly what: 'leer' | 'summen' | 'unbekannt' | 'zu_gross';

  constructor(what: NotImportable['what'], message: string) {
    super(message);
    this.what = what;
  }
}
