/** What callers get to know of what stops them: who, why, until when, and where a person lifts it. It is all that they see. */
import { InterventionsUnknown, LimitReached, type Reason, StoppedByIntervention } from '#client/transport.ts';
import { Refusal, STOP } from './refusal.ts';

const DONE: Readonly<Record<string, string>> = { sperren: 'blocked', anhalten: 'stopped' };

const KINDS: Readonly<Record<string, string>> = {
  lauf: 'run',
  agent: 'agent',
  projekt: 'project',
  endkunde: 'customer',
  funktion: 'function',
  benutzer: 'user',
  modell: 'model',
  schluessel: 'key',
  mandant: 'all calls',
};

const about = (art: string, objekt: string): string => `${KINDS[art] ?? art} ${objekt}`.trim();

const untilWhen = (bis: string | null): string => (bis === null ? 'until it is lifted' : `until ${bis}`);

function pageOf(cockpitUrl: string, page: string): string {
  return `${cockpitUrl.replace(/\/+$/, '')}/${page}`;
}

/** What a person reads of an intervention, but for its page. Stopping anything but a run means the runs that had begun. */
function saidOf({
  stufe,
  objekt_art,
  objekt,
  agent,
  grund,
  grund_en,
  beginn,
  bis,
}: StoppedByIntervention['eingriff']): string {
  const [en, de] = [grund_en, grund].map((text) => text.replace(/\.$/, ''));
  const cause = `${untilWhen(bis)}: ${en === de ? en : `${en} (${de})`}.`;
  const what = about(objekt_art, objekt);
  if (stufe === 'anhalten' && objekt_art !== 'lauf') {
    const whose = objekt_art === 'mandant' ? '' : ` of ${what}`;
    return `the run is stopped, as are all${whose} that began before ${beginn}, ${cause} A new run may begin.`;
  }
  const whose = agent !== null && objekt_art !== 'agent' ? ` of agent ${agent}` : '';
  return `${what}${whose} is ${DONE[stufe] ?? stufe} ${cause}`;
}

const ofIntervention = ({ eingriff }: StoppedByIntervention, cockpitUrl: string): string =>
  `${saidOf(eingriff)} To lift it: ${pageOf(cockpitUrl, 'eingriffe')}`;

function ofLimit({ grenze }: LimitReached, cockpitUrl: string): string {
  if (grenze === null) return 'nothing bounds what the call could cost, and such calls are refused';
  const { art, name, objekt_art, objekt, grenze_eur, verbraucht_eur, reserviert_eur, bis } = grenze;
  const page = pageOf(cockpitUrl, /budget/.test(art) ? 'budgets' : 'regeln');
  const spent = `${verbraucht_eur} of ${grenze_eur} EUR are spent, ${reserviert_eur} reserved`;
  return `the limit "${name}" (${about(objekt_art, objekt)}) has no room for the call: ${spent}. It holds ${untilWhen(bis)}; to raise it: ${page}`;
}

/** The refusal that an error means; null where it is none of ours. */
export function refusalOf(error: unknown, cockpitUrl: string): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof StoppedByIntervention)
    return new Refusal(STOP, error.code, ofIntervention(error, cockpitUrl));
  if (error instanceof LimitReached) return new Refusal(STOP, error.code, ofLimit(error, cockpitUrl));
  if (error instanceof InterventionsUnknown)
    return new Refusal(
      STOP,
      error.code,
      `the service cannot be asked whether the call may be made, and calls are refused until it can`,
    );
  return null;
}

/** The same for the end of a stream. */
export const reasonOf = (stopped: StoppedByIntervention, cockpitUrl: string): Reason => ({
  message: `Zählwerk: ${ofIntervention(stopped, cockpitUrl)}`,
  code: stopped.code,
});
