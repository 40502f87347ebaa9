/** Agents that ask the same several times on purpose. */
import type { Chance } from '../chance.ts';
import { DAY, HOUR, type PlannedCall, SECOND } from '../planned.ts';
import { paragraph, sentence } from '../prose.ts';
import { Session } from '../session.ts';

const CASES = 40;
const REPEATS = 5;

/** Every night each case five times, to see how far answers differ. The cases stay the same from night to night. */
export function evaluations(chance: Chance, days: number): PlannedCall[] {
  const cases = Array.from({ length: CASES }, () => `${sentence(chance)} ${paragraph(chance, 60)}`);
  const grade = { category: 'delivery', urgency: 'normal' };
  return Array.from({ length: days }, (_, day) => {
    const night = chance.named(`night ${day}`);
    const session = new Session(night, {
      agent: 'qualitaet/bewertung',
      modell: 'gpt-4o-mini',
      at: day * DAY + 2 * HOUR,
      system: 700,
      more: { funktion_ref: 'bewertung' },
    });
    for (const text of cases)
      for (let time = 0; time < REPEATS; time += 1)
        session
          .forgets()
          .says(text)
          .call({
            tools: [['grade_ticket', grade]],
            output: night.from(38, 44),
            latency: night.from(900, 2_600),
          });
    return session.calls;
  }).flat();
}

/** Ten answers to one question, all at the same moment; the majority counts. */
export function sampling(chance: Chance, days: number): PlannedCall[] {
  return Array.from({ length: days }, (_, day) => {
    const at = day * DAY + chance.from(9, 16) * HOUR;
    const session = new Session(chance.named(`day ${day}`), {
      agent: 'qualitaet/abstimmung',
      modell: 'gpt-4o',
      at,
      system: 350,
    });
    const question = paragraph(chance, 110);
    for (let time = 0; time < 10; time += 1) {
      session.at = at + chance.from(0, 40);
      session
        .forgets()
        .says(question)
        .call({ output: chance.from(180, 320), latency: chance.from(3_000, 7_000) });
    }
    session
      .waits(2 * SECOND)
      .says('Which answer was given most often?')
      .call({ output: 90 });
    return session.calls;
  }).flat();
}
