/** Agents that talk with people. */
import type { Chance } from '../chance.ts';
import { DAY, HOUR, MINUTE, type PlannedCall, SECOND } from '../planned.ts';
import { paragraph, sentence } from '../prose.ts';
import { Session } from '../session.ts';
import { daily, onWorkdays } from './daily.ts';

const SHORT = [
  'ja',
  'Ja bitte',
  'ok',
  'danke',
  'nein',
  'Und dann?',
  'yes',
  'thanks a lot',
  'What else?',
  'hm',
];

/** Chat with a large system prompt: people answer with a word or two, and ask the same again in other words. */
export const chat = (chance: Chance, days: number): PlannedCall[] =>
  daily(chance, days, 25, (own, day) => {
    const session = new Session(own, {
      agent: 'kundendienst/chat',
      modell: 'gpt-4o',
      at: day * DAY + own.from(7 * 60, 21 * 60) * MINUTE,
      system: 6_800,
      more: { endkunde_ref: `K-${own.from(100, 140)}`, benutzer_ref: `u-${own.from(1, 400)}` },
    });
    for (let turn = own.from(3, 9); turn > 0; turn -= 1)
      session
        .says(own.is(0.45) ? own.one(SHORT) : sentence(own))
        .call({
          output: own.around(120),
          ...(own.is(0.2) ? { tools: [['order_status', { order: own.from(1_000, 9_999) }]] } : {}),
        })
        .waits(own.around(25) * SECOND);
    return session.calls;
  });

const SPOKEN = [
  'Hallo?',
  'Ja',
  'Nein',
  'Ja genau',
  'Einen Moment',
  'Hallo, hören Sie mich?',
  'Okay',
  'Wie bitte?',
];

/** A voice bot: turns of seconds, many of them the same word again. */
export const voice = (chance: Chance, days: number): PlannedCall[] =>
  onWorkdays(chance, days, 20, (own, day) => {
    const session = new Session(own, {
      agent: 'kundendienst/telefon',
      modell: 'gpt-4o-mini',
      at: day * DAY + own.from(8 * 60, 18 * 60) * MINUTE,
      system: 2_400,
    });
    // On a bad line one word is said again and again.
    const favourite = own.one(SPOKEN);
    for (let turn = own.from(5, 16); turn > 0; turn -= 1)
      session
        .says(own.is(0.5) ? favourite : own.is(0.5) ? own.one(SPOKEN) : sentence(own))
        .call({ output: own.from(12, 45), latency: own.from(350, 900) })
        .waits(own.from(2_500, 9_000));
    return session.calls;
  });

/** Questions to a body of documents: each with other passages before it, so that no cache helps. */
export const retrieval = (chance: Chance, days: number): PlannedCall[] =>
  daily(chance, days, 40, (own, day) => {
    const session = new Session(own, {
      agent: 'wissen/auskunft',
      modell: 'gpt-4o-mini',
      at: day * DAY + 7 * HOUR + own.from(0, 12 * 60) * MINUTE,
      system: 600,
    });
    const question = sentence(own);
    session.says(`Rewrite as a search query: ${question}`).call({ output: 20 });
    // A follow-up comes with passages of its own in place of those before.
    for (let turn = own.from(1, 3); turn > 0; turn -= 1)
      session
        .forgets()
        .says(
          `${paragraph(own, 120)}\n\nQuestion: ${turn === 1 ? question : sentence(own)}`,
          own.from(3_000, 7_000),
        )
        .call({ output: own.around(180) })
        .waits(own.around(40) * SECOND);
    return session.calls;
  });
