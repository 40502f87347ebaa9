import type { Eingriff } from './eingriff.ts';

/** A call that must not be made: its run is stopped, or something it belongs to is blocked. */
export class StoppedByIntervention extends Error {
  override readonly name = 'StoppedByIntervention';
  readonly code = 'eingriff';
  /** Level, object, reason in both languages, since when, until when. */
  readonly eingriff: Eingriff;

  constructor(eingriff: Eingriff) {
    const { stufe, objekt_art, objekt, grund, grund_en, bis } = eingriff;
    const until = bis === null ? '' : ` until ${bis}`;
    super(`${stufe} (${[objekt_art, objekt].join(' ').trim()})${until}: ${grund_en} | ${grund}`);
    this.eingriff = eingriff;
  }
}

/** With `failure: 'closed'`: a call that must not be made since nobody knows what is in force. */
export class InterventionsUnknown extends Error {
  override readonly name = 'InterventionsUnknown';
  readonly code = 'eingriffe_unbekannt';

  /** `lastError`: why the service could not be asked. */
  constructor(lastError: string | null) {
    super(`what is in force is not known: ${lastError ?? 'no answer yet'}`);
  }
}
