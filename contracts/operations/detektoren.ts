/** Detectors: what rules are about, looked for at once. */
import { boolean, component, count, field, nullable, operation } from '../kit/index.ts';

export const detektorenPruefen = operation({
  id: 'detektoren.pruefen',
  method: 'POST',
  path: '/v1/cockpit/detektoren/pruefen',
  summary:
    'Lässt die Detektoren sofort laufen, statt auf den Takt von fünf Minuten zu warten; für alle Mandanten.',
  description:
    'Runs the detectors over the calls of the last day of all Mandanten at once, instead of waiting for the cycle of five minutes, and answers counters only. What is found again is updated, never added. Requests at the same time share one run, and a run begins five seconds after the one before at the earliest. Where none has ended after a quarter of a minute (or no worker runs), `fertig` is false; the run then comes later.',
  access: { kind: 'session', right: 'schutz.aendern' },
  refuses: { 429: ['zu_viele_versuche'] },
  response: component('DetektorenPruefung', 'What a run of the detectors came to, in all.', {
    fertig: field(boolean(), 'Whether a run that began after the request has ended.'),
    mandanten: field(
      nullable(count()),
      'Mandanten with rules that were looked at; null until it has ended.',
      12,
    ),
    regeln: field(nullable(count()), 'Their rules; null as above.', 96),
    befunde: field(nullable(count()), 'What was found, for the first time or again; null as above.', 4),
    fehlgeschlagen: field(
      nullable(count()),
      'Types of rules that could not be looked at (the log says why); null as above.',
      0,
    ),
  }),
});
