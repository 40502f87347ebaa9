import { type ResponseOf, statusVerlauf } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { type Board, FRESH_MS, type History } from '../board.ts';
import { disturbancesOf, sharesOf } from '../history.ts';
import { kept } from '../kept.ts';

type Answer = ResponseOf<typeof statusVerlauf>;
type Name = Answer['komponenten'][number]['name'];

const MAX_DISTURBANCES = 50;
/** Who sees it looks every quarter of a minute: what ended longer ago is over. */
const LASTS_SECONDS = 90;

const toInstant = (seconds: number): string => new Date(seconds * 1_000).toISOString();

const daysOf = ({ days, now }: History, line: Parameters<typeof sharesOf>[0]) =>
  sharesOf(line, days, now).map((shares, index) => ({
    tag: days[index]?.tag as string,
    ok_sekunden: shares.ok,
    eingeschraenkt_sekunden: shares.limited,
    gestoert_sekunden: shares.broken,
    unbekannt_sekunden: shares.unknown,
  }));

function latestDisturbances({ lines, now, days }: History, well: Set<string>): Answer['stoerungen'] {
  const oldest = days[0]?.from ?? now;
  return [...lines]
    .flatMap(([name, line]) => disturbancesOf(line).map((each) => ({ name: name as Name, ...each })))
    .filter(({ from, to }) => from < now && to > oldest)
    .sort((a, b) => b.from - a.from)
    .slice(0, MAX_DISTURBANCES)
    .map(({ name, status, from, to, broken }) => ({
      name,
      status,
      von: toInstant(from),
      bis: now - to < LASTS_SECONDS && !well.has(name) ? null : toInstant(to),
      dauer_sekunden: to - from,
      gestoert_sekunden: broken,
    }));
}

async function answerOf({ clock, config }: ServiceContext, board: Board): Promise<Answer> {
  const { parts } = await board.standing();
  const history = await board.history();
  const well = new Set<string>(parts.filter(({ status }) => status === 'ok').map(({ name }) => name));
  return {
    zeit: clock.now().toISOString(),
    zeitzone: config.timeZone,
    komponenten: parts
      .filter(({ name }) => history.lines.has(name))
      .map(({ name }) => ({ name, tage: daysOf(history, history.lines.get(name) ?? []) })),
    stoerungen: latestDisturbances(history, well),
  };
}

/** Public as the status is. What the database held when it last answered, where it is away. */
export function verlaufRoute(context: ServiceContext, board: Board): Route {
  const answer = kept(() => answerOf(context, board), FRESH_MS, board.steady);
  return route(statusVerlauf, answer.get);
}
