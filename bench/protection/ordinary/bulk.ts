/** Agents that work through many pieces at night. */
import type { Chance } from '../chance.ts';
import { DAY, HOUR, MINUTE, type PlannedCall } from '../planned.ts';
import { paragraph, record, sentence } from '../prose.ts';
import { Session } from '../session.ts';

/** A long instruction with one record each: prompts that differ by a row. Some nights have more than two hundred. */
export function classification(chance: Chance, days: number): PlannedCall[] {
  const instruction = paragraph(chance, 180);
  return Array.from({ length: days }, (_, day) => {
    const own = chance.named(`night ${day}`);
    const session = new Session(own, {
      agent: 'daten/einordnung',
      modell: 'gpt-4o-mini',
      at: day * DAY + 3 * HOUR,
      system: 300,
      more: { funktion_ref: 'einordnen' },
    });
    for (let row = own.from(90, 215); row > 0; row -= 1)
      session
        .forgets()
        .says(`${instruction}\n${record(own)}`)
        .call({ output: own.from(4, 9), latency: own.from(350, 900) });
    return session.calls;
  }).flat();
}

const LABELS = ['Zurück', 'Weiter', 'Abbrechen', 'Speichern', 'Schließen', 'Übernehmen'];

/** Texts of a shop, translated one by one; labels come again. */
export function translation(chance: Chance, days: number): PlannedCall[] {
  return Array.from({ length: days }, (_, day) => {
    const own = chance.named(`night ${day}`);
    const session = new Session(own, {
      agent: 'daten/uebersetzung',
      modell: 'gemini-2.5-flash',
      at: day * DAY + 4 * HOUR + 20 * MINUTE,
      system: 500,
    });
    for (let text = own.from(60, 100); text > 0; text -= 1)
      session
        .forgets()
        .says(`Translate into Dutch: ${own.is(0.3) ? own.one(LABELS) : sentence(own)}`)
        .call({ output: own.around(30), latency: own.from(400, 1_000) });
    return session.calls;
  }).flat();
}
