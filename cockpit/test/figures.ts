/** Figures of a week: the contract's example of a row is named after an agent, those of a course after days. */
import type { AnswerOf } from '../src/api/operations.ts';
import type { VerbrauchZeile } from '../src/api/types.ts';
import { answerOf } from './examples.ts';
import type { Answers, Asked } from './service.ts';

const DAYS = ['14', '15', '16', '17', '18', '19', '20'];

const week = (row: VerbrauchZeile): VerbrauchZeile[] =>
  DAYS.map((day, at) => ({
    ...row,
    schluessel: `2026-11-${day}`,
    kosten_eur: String(at + 1),
    aufrufe: at + 1,
  }));

/** The overview, of the period and the filter that are asked for. */
export function overview(said: Partial<AnswerOf<'cockpitUebersicht'>> = {}): AnswerOf<'cockpitUebersicht'> {
  const example = answerOf('cockpitUebersicht');
  const verlauf = week(example.verlauf[0] as VerbrauchZeile);
  return {
    ...example,
    aufloesung: 'tag',
    von: '2026-11-14T00:00:00+01:00',
    bis: '2026-11-21T00:00:00+01:00',
    summe: { ...example.summe, aufrufe: 28, kosten_eur: '28' },
    verlauf,
    verlauf_vorher: verlauf,
    demo: false,
    ...said,
  };
}

const agent = (): AnswerOf<'cockpitAgent'> => {
  const example = answerOf('cockpitAgent');
  return { ...example, aufloesung: 'tag', verlauf: week(example.verlauf[0] as VerbrauchZeile) };
};

/** What every page with figures asks for. */
export const figures: Answers = {
  cockpitUebersicht: ({ query }: Asked) => overview({ zeitraum: query.zeitraum ?? 'heute' }),
  cockpitAgent: agent,
};
