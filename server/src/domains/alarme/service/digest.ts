/** What was held, brought to people in one. */
import { holdMandant, readMandant } from '#domains/mandant/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Sentence } from '#kernel/sentence.ts';
import type { ServiceContext } from '#platform/context.ts';
import { lockEinstellungen, setNaechsteSammlung } from '../einstellungen.ts';
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

function textOf(held: AlarmRow[], zone: string, language: 'de' | 'en'): string {
  const lines = held.slice(0, LINES).map((row) => {
    const titel = language === 'de' ? row.titel_de : row.titel_en;
    return `${whenOf(row, zone)}: ${row.art === 'entwarnung' ? OVER[language] : ''}${titel}`;
  });
  if (held.length > LINES) lines.push(MORE(held.length - LINES)[language]);
  return lines.join('\n');
}

const titelOf = (held: AlarmRow[]): Sentence =>
  held.length === 1
    ? { de: 'Eine Meldung', en: 'One message' }
    : { de: `${held.length} Meldungen`, en: `${held.length} messages` };

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
      const sammlung = await insertSammlung(tx, held, { titel: titelOf(held), text, pfad, now });
      await distribute(tx, secrets, now, sammlung);
    }
    await setNaechsteSammlung(tx, await nextHeld(tx));
    return held.length;
  });
}
