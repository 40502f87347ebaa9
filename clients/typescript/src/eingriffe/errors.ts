import type { Grenze } from '../reservierungen/answer.ts';
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

/** A call that must not be made: a hard limit has no room for what it could cost. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached';
  readonly code = 'grenze_erreicht';
  /** The limit: what it is, what is spent, what is reserved, until when. Null where the call was refused since nothing bounds it. */
  readonly grenze: Grenze | null;
  /** Whether nothing bounds what the call could cost. */
  readonly isUnbounded: boolean;

  constructor(grenze: Grenze | null, isUnbounded: boolean) {
    super(
      grenze === null
        ? 'nothing bounds what the call could cost, and such calls are refused'
        : messageOf(grenze),
    );
    this.grenze = grenze;
    this.isUnbounded = isUnbounded;
  }
}

function messageOf({
  name,
  objekt_art,
  objekt,
  grenze_eur,
  verbraucht_eur,
  reserviert_eur,
  bis,
}: Grenze): string {
  const until = bis === null ? '' : `, until ${bis}`;
  const about = [objekt_art, objekt].join(' ').trim();
  return `${name} (${about}): no room for the call in ${grenze_eur} EUR, ${verbraucht_eur} spent, ${reserviert_eur} reserved${until}`;
}
