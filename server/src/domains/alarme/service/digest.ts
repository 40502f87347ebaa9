/** What was held, brought to people in one. */
import { STUFEN, type Stufe } from '#contracts';
import { holdMandant, readMandant } from '#domains/mandant/index.ts';
import { euroText } from '#kernel/format.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Language, Sentence } from '#kernel/sentence.ts';
import type { ServiceContext } from '#platform/context.ts';
import { lockEinstellungen, setNaechsteSammlung } from '../einstellungen.ts';
import { mayBeHeld } from '../rules.ts';
import { type AlarmRow, insertSammlung, nextHeld, takeHeld } from '../store.ts';
import { distribute } from './distribute.ts';

/** Lines of a digest; the cockpit has all of them. */
const LINES = 20;
const ALL_ALARMS = '/einstellungen/alarme';

const OVER: Sentence = { de: 'Entwarnung: ', en: 'All clear: ' };
const MORE = (count: number): Sentence => ({ de: `und ${count} weitere`, en: `and ${count} more` });

/** `22.11. 18:30` would be read differently here and there; this is not. */
const whenOf = ({ zeitpunkt }: AlarmRow, zone: string): string =>
  Temporal.Instant.from(zeitpunkt)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ');

/** When, what, and about how much money where that is known. */
function lineOf(row: AlarmRow, zone: string, language: Language): string {
  const titel = language === 'de' ? row.titel_de : row.titel_en;
  const betrag = row.betrag_eur === null ? '' : ` (${euroText(row.betrag_eur, language)})`;
  return `${whenOf(row, zone)}: ${row.art === 'entwarnung' ? OVER[language] : ''}${titel}${betrag}`;
}

function textOf(held: AlarmRow[], zone: string, language: Language): string {
  const lines = held.slice(0, LINES).map((row) => lineOf(row, zone, language));
  if (held.length > LINES) lines.push(MORE(held.length - LINES)[language]);
  return lines.join('\n');
}

const isIntervention = ({ art, stufe }: AlarmRow): boolean => art === 'alarm' && !mayBeHeld(stufe);

function titelOf(held: AlarmRow[]): Sentence {
  if (held.length === 1) return { de: 'Eine Meldung', en: 'One message' };
  const interventions = held.filter(isIntervention).length;
  return interventions === 0
    ? { de: `${held.length} Meldungen`, en: `${held.length} messages` }
    : {
        de: `${held.length} Meldungen, davon ${interventions} über Eingriffe`,
        en: `${held.length} messages, ${interventions} of them about interventions`,
      };
}

/** The gravest level of what intervened; else that of a warning. */
const stufeOf = (held: AlarmRow[]): Stufe =>
  held
    .filter(isIntervention)
    .map(({ stufe }) => stufe)
    .sort((a, b) => STUFEN.indexOf(b) - STUFEN.indexOf(a))[0] ?? 'warnen';

/**
 * Brings what is held and due to people, in one message: all in one transaction, so that each of them is in one digest. Resolves
 * with how many there were.
 */
export function collect(
  { db, secrets, clock }: Pick<ServiceContext, 'db' | 'secrets' | 'clock'>,
  mandant: MandantId,
): Promise<number> {
  return db.forMandant(mandant, async (tx) => {
    if (!(await holdMandant(tx))) return 0;
    const now = clock.now();
    await lockEinstellungen(tx);
    const held = await takeHeld(tx, now);
    const [first] = held;
    if (first) {
      const { zeitzone } = await readMandant(tx);
      const text = { de: textOf(held, zeitzone, 'de'), en: textOf(held, zeitzone, 'en') };
      const pfad = held.length === 1 ? first.pfad : ALL_ALARMS;
      const sammlung = await insertSammlung(tx, held, {
        titel: titelOf(held),
        text,
        pfad,
        stufe: stufeOf(held),
        now,
      });
      await distribute(tx, secrets, now, sammlung);
    }
    await setNaechsteSammlung(tx, await nextHeld(tx));
    return held.length;
  });
}
