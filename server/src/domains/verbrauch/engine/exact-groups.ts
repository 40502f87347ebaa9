/** Groups in figures to add up further, exactly. */
import { FIGURE_NAMES, type FigureName } from '#contracts';
import type { MandantTx } from '#platform/database/index.ts';
import { byStanding, cutPage } from '../groups.ts';
import { readTexts } from '../store/values.ts';
import { askPieces, nameGroups, type RawQuestion, valuesIn } from './consumption-by-engine.ts';
import type { Engine } from './engine.ts';
import type { SumsAnswer } from './question.ts';

/** Figures of calls: counts whole, amounts in 10^-34 of their currency, those of calls without a known price not in it. 0 where not asked for. */
export type ExactFigures = Record<FigureName, bigint>;

/** A group with a text for each grouping, as in `EngineConsumption`. */
export interface ExactGroup {
  schluessel: string[];
  figures: ExactFigures;
}

/** Groups in no order, and what is in none of them, as one: null when everything is. */
export interface ExactGroups {
  gruppen: ExactGroup[];
  rest: { gruppen: number; figures: ExactFigures } | null;
}

function exactFigures(values: readonly bigint[]): ExactFigures {
  const figures: Partial<ExactFigures> = {};
  for (const [index, name] of FIGURE_NAMES.entries()) figures[name] = values[index] as bigint;
  return figures as ExactFigures;
}

/** As `consumptionByEngine`, in figures to add up further: all groups, or the dearest where there is a limit. */
export async function exactGroups(
  engine: Engine,
  tx: MandantTx,
  { window, by, where = [], figures = FIGURE_NAMES, limit = null }: RawQuestion & { limit?: number | null },
): Promise<ExactGroups> {
  const question = { by, order: 'cost', figures, limit, from: null } as const;
  const [answer] = (await askPieces(engine, tx, [{ ...question, window, where }])) as [SumsAnswer];
  const texts = await readTexts(tx, [...new Set(valuesIn(answer, by))]);
  const named = nameGroups(texts, question, answer);
  const toExact = ({ keys, values }: (typeof named)[number]) => ({
    schluessel: keys,
    figures: exactFigures(values),
  });
  if (limit === null) return { gruppen: named.map(toExact), rest: null };
  const { page, rest } = cutPage(named, answer, byStanding, { limit });
  return {
    gruppen: page.map(toExact),
    rest: rest.gruppen > 0 ? { gruppen: rest.gruppen, figures: exactFigures(rest.values) } : null,
  };
}
