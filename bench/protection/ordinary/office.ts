/** Agents of an office: one thing after the other, some of which are alike. */
import type { Chance } from '../chance.ts';
import { DAY, HOUR, MINUTE, type PlannedCall, SECOND } from '../planned.ts';
import { paragraph, record, sentence, town } from '../prose.ts';
import { Session } from '../session.ts';
import { daily, onWorkdays } from './daily.ts';

/** Rows of a sorted list are booked one by one; a landlord or a carrier has several rows that say the same. */
export const receipts = (chance: Chance, days: number): PlannedCall[] =>
  onWorkdays(chance, days, 1, (own, day) => {
    const session = new Session(own, {
      agent: 'buchhaltung/belege',
      modell: 'gpt-4o-mini',
      at: day * DAY + 20 * HOUR,
      system: 900,
      more: { funktion_ref: 'buchen' },
    });
    for (let entry = 0; entry < 80; entry += 1) {
      const alike = own.is(0.07) ? own.from(3, 8) : 1;
      const text = alike > 1 ? `Miete Stellplatz ${town(own)}, 59,50 EUR, 19 %` : record(own);
      const konto = alike > 1 ? 4_210 : own.from(3_000, 8_000);
      for (let time = 0; time < alike; time += 1)
        session
          .forgets()
          .says(`Which account does this receipt belong to? ${text}`)
          .call({
            tools: [['book', { konto, text }]],
            output: own.from(30, 38),
            latency: own.from(700, 1_900),
          });
    }
    return session.calls;
  });

/** A lead at a time, in a run of its own: looked up, read, written down. */
export const leads = (chance: Chance, days: number): PlannedCall[] =>
  onWorkdays(chance, days, 20, (own, day, lead) => {
    const id = own.from(10_000, 99_999);
    const session = new Session(own, {
      agent: 'vertrieb/anreicherung',
      modell: 'gpt-4o',
      at: day * DAY + 6 * HOUR + lead * 90 * SECOND,
      system: 1_200,
    });
    session.says(`Find out what company ${id} from ${town(own)} does and how large it is.`);
    session
      .call({ tools: [['web_search', { q: `company ${id}` }]] })
      .waits(own.around(900))
      .result(paragraph(own, 60), 350);
    session.call({ tools: [['open_page', { url: `https://example.org/${id}` }]] }).waits(own.around(1_200));
    session
      .result(paragraph(own, 500))
      .call({ tools: [['save_lead', { id, size: own.from(5, 900) }]], output: 120 });
    session.result('saved').call({ output: 60 });
    return session.calls;
  });

/** The provider answers 429 for a while; the library backs off as `Retry-After` says, then succeeds. */
function refused(session: Session, chance: Chance, attempts: number): void {
  for (let attempt = 0; attempt < attempts; attempt += 1)
    session
      .call({ fails: { code: 'rate_limit' }, latency: chance.from(80, 250) })
      .waits((2 ** attempt + chance.share()) * 2 * SECOND);
}

/** Drafts of mails. Mornings are busy at the provider: every seventh is refused a few times first. */
export const mails = (chance: Chance, days: number): PlannedCall[] =>
  daily(chance, days, 50, (own, day) => {
    const session = new Session(own, {
      agent: 'vertrieb/entwuerfe',
      modell: 'gpt-4o',
      at: day * DAY + 8 * HOUR + own.from(0, 9 * 60) * MINUTE,
      system: 700,
      more: { endkunde_ref: `K-${own.from(100, 130)}` },
    });
    session.says(`Answer this mail: ${paragraph(own, 90)}`);
    if (own.is(1 / 7)) refused(session, own, own.from(2, 4));
    session.call({ output: own.around(220) });
    return session.calls;
  });

/** Every evening contracts are read, one document a call, all in one run. */
export function contracts(chance: Chance, days: number): PlannedCall[] {
  return Array.from({ length: days }, (_, day) => {
    const own = chance.named(`day ${day}`);
    const session = new Session(own, {
      agent: 'recht/vertraege',
      modell: 'gemini-2.5-pro',
      at: day * DAY + 22 * HOUR,
      system: 600,
    });
    for (let document = own.from(30, 45); document > 0; document -= 1)
      session
        .forgets()
        .says(`Which notice period does this contract have?\n${paragraph(own, 80)}`, own.around(3_000))
        .call({ output: own.around(140), thinking: own.around(700) });
    return session.calls;
  }).flat();
}

/** A workflow: for each item of a list the same three tools, with what the item needs. */
export const onboarding = (chance: Chance, days: number): PlannedCall[] =>
  daily(chance, days, 4, (own, day, batch) => {
    const session = new Session(own, {
      agent: 'ablauf/aufnahme',
      modell: 'gpt-4o-mini',
      at: day * DAY + (9 + 2 * batch) * HOUR,
      system: 1_000,
    });
    session.says('Take in the new tenants of the list, one after the other.');
    for (let item = own.from(6, 11); item > 0; item -= 1) {
      const id = own.from(1_000, 9_999);
      session
        .call({ tools: [['read_form', { id }]] })
        .waits(400)
        .result(record(own));
      session
        .call({ tools: [['check_address', { town: town(own), id }]] })
        .waits(600)
        .result('valid');
      session
        .call({ tools: [['create_tenant', { id, name: sentence(own).slice(0, 20) }]] })
        .waits(500)
        .result(`tenant ${id}`);
    }
    session.call({ output: 80 });
    return session.calls;
  });

/** Summaries of calls by a model of one's own, whose price nobody knows; what is cut off is estimated. */
export const transcripts = (chance: Chance, days: number): PlannedCall[] =>
  daily(chance, days, 15, (own, day, each) => {
    const session = new Session(own, {
      agent: 'kundendienst/protokolle',
      modell: each === 0 ? 'ft:hausmodell-7' : 'gpt-4o-mini',
      at: day * DAY + 8 * HOUR + own.from(0, 10 * 60) * MINUTE,
      system: 400,
    });
    session.says(`Summarise this call: ${paragraph(own, 80)}`, own.around(1_200));
    session.call({ output: own.around(160), more: own.is(0.4) ? { geschaetzt: true } : {} });
    return session.calls;
  });
