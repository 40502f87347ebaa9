import { datetime, decimal, nullable, OBJEKTARTEN, oneOf, type Static, Type, text, uuid } from '#contracts';
import { type Candidate, recordFindings } from '#domains/befunde/index.ts';
import { defineJob, handle, type Job, type JobContext } from '#jobs/index.ts';

const Ausgeschoepft = Type.Object({
  regel_id: nullable(uuid()),
  name: text(),
  objekt_art: oneOf(...OBJEKTARTEN),
  objekt: text(),
  agent: nullable(text()),
  grenze_eur: decimal(),
  verbraucht_eur: decimal(),
  rest_eur: decimal(),
  beginn: datetime(),
  abgelehnt_am: datetime(),
});
/** A limit that calls were refused for, as it stood then; amounts in EUR. */
export type AusgeschoepfteGrenze = Static<typeof Ausgeschoepft>;

/** Makes a finding of a limit that has no room for calls, and with it an alarm. */
export const ausgeschoepftMelden = defineJob({
  id: 'reservierungen.ausgeschoepft_melden',
  version: 1,
  payload: Ausgeschoepft,
  retry: { first: 5, longest: 600, attempts: 20 },
});

const toCandidate = (of: AusgeschoepfteGrenze): Candidate => ({
  regel: null,
  ohneRegel: 'grenze_ausgeschoepft',
  objektArt: of.objekt_art,
  objekt: of.objekt,
  agent: of.agent,
  lauf: of.objekt_art === 'lauf' ? of.objekt : null,
  fensterBeginn: of.beginn,
  // A limit that is raised and used up again is another finding.
  teil: `${of.regel_id ?? 'budget'} ${of.grenze_eur}`,
  nurEinmal: true,
  kostenEur: of.verbraucht_eur,
  verbranntEur: null,
  potentialEur: null,
  werte: {
    grenze: of.name,
    grenze_eur: of.grenze_eur,
    ausgegeben_eur: of.verbraucht_eur,
    rest_eur: of.rest_eur,
    bis: of.abgelehnt_am,
  },
});

export const ausgeschoepftMeldenJob = ({ owner, clock }: Pick<JobContext, 'owner' | 'clock'>): Job =>
  handle(ausgeschoepftMelden, ({ mandant, payload }) =>
    owner.transaction(async (client) => ({
      ...(await recordFindings(client, mandant, [toCandidate(payload)], clock.now())),
    })),
  );
