/** The checklist of a new Mandant. */
import type { erststart, ResponseOf } from '#contracts';

type Erststart = ResponseOf<typeof erststart>;

export interface Progress {
  hasActiveKey: boolean;
  hasConfirmedLimits: boolean;
  hasEvents: boolean;
  hasNamedAgent: boolean;
  hasEndkunde: boolean;
}

/** The steps in the order they are taken; done or open. */
export function stepsOf(progress: Progress): Erststart {
  const schritte: Erststart['schritte'] = [
    { schritt: 'konto', titel: 'Konto angelegt', erledigt: true },
    { schritt: 'schluessel', titel: 'API-Schlüssel angelegt', erledigt: progress.hasActiveKey },
    { schritt: 'geldgrenzen', titel: 'Geldgrenzen bestätigt', erledigt: progress.hasConfirmedLimits },
    { schritt: 'erster_aufruf', titel: 'Erster Aufruf angekommen', erledigt: progress.hasEvents },
    { schritt: 'agent_benannt', titel: 'Agent benannt', erledigt: progress.hasNamedAgent },
    {
      schritt: 'endkunde_zugeordnet',
      titel: 'Aufruf einem Endkunden zugeordnet',
      erledigt: progress.hasEndkunde,
    },
  ];
  return { schritte, abgeschlossen: schritte.every((step) => step.erledigt) };
}
