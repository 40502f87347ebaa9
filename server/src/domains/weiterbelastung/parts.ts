/** What stands behind a line, added up out of what was counted. Pure; amounts in 10^-34. */
import type { FigureName } from '#contracts';
import type { ExactFigures, ExactGroup, ExactGroups } from '#domains/verbrauch/index.ts';
import { EUR_SCALE, type Eur, textOf } from '#kernel/money.ts';
import type { Usage } from './rules.ts';
import type { StoredPosten } from './store/posten.ts';

/** What is asked of the calls behind a line. */
export const FIGURES_BEHIND: readonly FigureName[] = [
  'aufrufe',
  'unbepreist',
  'teilbepreist',
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'cache_schreib_token',
  'eingabe_ohne_cache',
  'ausgabe_gesamt',
  'aufgeteilt',
  'kosten_usd',
  'kosten_eur',
  'verbranntes_geld_eur',
];

type Named = Pick<StoredPosten, 'schluessel' | 'tag' | 'anbieter' | 'name' | 'gruppen'>;

/** What is behind a line, by each of what a statement tells apart, and by day, provider and model at once. */
export interface PostenOfLine {
  agenten: StoredPosten[];
  modelle: StoredPosten[];
  tage: StoredPosten[];
  focus: StoredPosten[];
}

const isPriced = ({ aufrufe, unbepreist }: ExactFigures) => aufrufe > unbepreist;

/** All tokens, alike for every provider; null where that is not known of all calls. */
const tokensIn = (figures: ExactFigures): bigint | null =>
  figures.aufgeteilt === figures.aufrufe
    ? figures.eingabe_ohne_cache +
      figures.cache_lese_token +
      figures.cache_schreib_token +
      figures.ausgabe_gesamt
    : null;

/** As it is stored. */
export const toPosten = (named: Named, figures: ExactFigures): StoredPosten => ({
  ...named,
  aufrufe: figures.aufrufe.toString(),
  unbepreist: figures.unbepreist.toString(),
  eingabe_token: figures.eingabe_token.toString(),
  ausgabe_token: figures.ausgabe_token.toString(),
  token: tokensIn(figures)?.toString() ?? null,
  kosten_usd: isPriced(figures) ? textOf(figures.kosten_usd, EUR_SCALE) : null,
  kosten_eur: isPriced(figures) ? textOf(figures.kosten_eur, EUR_SCALE) : null,
  verbranntes_geld_eur: textOf(figures.verbranntes_geld_eur, EUR_SCALE),
});

/** As it is charged. */
export const toShare = (figures: ExactFigures): Usage & { token: bigint | null } => ({
  aufrufe: Number(figures.aufrufe),
  unbepreist: Number(figures.unbepreist),
  teilbepreist: Number(figures.teilbepreist),
  kosten: isPriced(figures) ? (figures.kosten_eur as Eur) : null,
  verbrannt: figures.verbranntes_geld_eur as Eur,
  token: tokensIn(figures),
});

/** Texts have none of it. */
const BETWEEN = '\0';

function add(sum: ExactFigures, other: ExactFigures): void {
  for (const name of FIGURES_BEHIND) sum[name] += other[name];
}

/** Figures of those groups together that have the same keys at these places, in the order of these keys. */
export function addedUp(groups: readonly ExactGroup[], ...places: readonly number[]): ExactGroup[] {
  const sums = new Map<string, { group: ExactGroup; isOwn: boolean }>();
  for (const { schluessel, figures } of groups) {
    const keys = places.map((place) => schluessel[place] as string);
    const name = keys.join(BETWEEN);
    const sum = sums.get(name);
    // What nothing is added to needs no copy.
    if (!sum) sums.set(name, { group: { schluessel: keys, figures }, isOwn: false });
    else {
      if (!sum.isOwn)
        Object.assign(sum, { isOwn: true, group: { schluessel: keys, figures: { ...sum.group.figures } } });
      add(sum.group.figures, figures);
    }
  }
  return Array.from(sums)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { group }]) => group);
}

/** By the only key that they have. */
export const toKind = ({ gruppen, rest }: ExactGroups): StoredPosten[] => [
  ...gruppen.map(({ schluessel: [schluessel = ''], figures }) => toPosten({ schluessel }, figures)),
  ...(rest ? [toPosten({ schluessel: null, gruppen: rest.gruppen }, rest.figures)] : []),
];

/** What was counted by end customer, day, provider and model. */
export function kindsByDay(groups: readonly ExactGroup[]): Omit<PostenOfLine, 'agenten'> {
  const kind = (place: number) => toKind({ gruppen: addedUp(groups, place), rest: null });
  return { modelle: kind(3), tage: kind(1), focus: focusOf(addedUp(groups, 1, 2, 3)) };
}

/** What was counted by end customer and agent. */
export const kindByAgent = (groups: readonly ExactGroup[]): StoredPosten[] =>
  toKind({ gruppen: addedUp(groups, 1), rest: null });

/** Groups by day, provider and model. */
export const focusOf = (groups: readonly ExactGroup[]): StoredPosten[] =>
  groups.map(({ schluessel: [tag = '', anbieter = '', schluessel = ''], figures }) =>
    toPosten({ schluessel, tag, anbieter }, figures),
  );
