/** Tells operators by mail which Mandanten are beyond what their package is for. */
import type pg from 'pg';
import {
  areLimitsBinding,
  type Grenzen,
  isOver,
  noteOverLimits,
  packageInForce,
} from '#domains/mandant/index.ts';
import { queueMail, quotedName, toMail } from '#domains/postausgang/index.ts';
import { readOperatorAddresses } from '#domains/zugang/index.ts';
import type { JobContext } from '#jobs/index.ts';
import { continueAsMandant } from '#platform/database/index.ts';
import { firstOfMonth, type MandantSeen, readMandanten } from './mandanten.ts';

type Context = Pick<JobContext, 'owner' | 'secrets' | 'clock' | 'config' | 'log'>;

interface Over {
  mandant_id: string;
  monat: string;
  firma: string;
  sentence: string;
}

const PAGE = 500;
/** More than a mail is read for; the operators' pages show all. */
const MOST_NAMED = 50;
const MAIL_VALID_SECONDS = 3 * 24 * 60 * 60;
const HINT =
  'Sie bekommen diese Nachricht als Betreiber dieser Installation von Zählwerk, je Mandant einmal im Monat. Gezählt wird weiter wie bisher.';

const number = new Intl.NumberFormat('de-DE');
const of = (used: number, limit: number | null, what: string): string | null =>
  isOver(used, limit) ? `${number.format(used)} von ${number.format(limit ?? 0)} ${what}` : null;

const sentenceOf = ({ monat, benutzer }: MandantSeen, name: string, grenzen: Grenzen): string | null => {
  const parts = [
    of(monat.ereignisse, grenzen.ereignisse_monat, 'Ereignissen des Monats'),
    of(benutzer, grenzen.benutzer, 'Benutzern'),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : `Tarif ${name}, ${parts.join(' und ')}`;
};

function overIn(rows: MandantSeen[], { config, clock }: Context): Over[] {
  const now = clock.now();
  return rows.flatMap((row) => {
    if (row.status !== 'aktiv' || !areLimitsBinding(config, row)) return [];
    const { name, grenzen } = packageInForce(row, now);
    const sentence = sentenceOf(row, name, grenzen);
    const { mandant_id, firma, zeitzone } = row;
    return sentence === null
      ? []
      : [{ mandant_id, firma, monat: firstOfMonth(now, zeitzone).slice(0, 7), sentence }];
  });
}

/** All Mandanten that are beyond, page by page. */
async function findOver(client: pg.PoolClient, context: Context): Promise<Over[]> {
  const found: Over[] = [];
  let after: readonly [string, string] | null = null;
  for (;;) {
    const rows: MandantSeen[] = await readMandanten(
      client,
      {},
      { limit: PAGE, after, now: context.clock.now() },
    );
    found.push(...overIn(rows, context));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return found;
    after = [last.erstellt_am, last.mandant_id];
  }
}

function letterFor(over: Over[], baseUrl: string) {
  const rest = over.length - MOST_NAMED;
  return {
    betreff:
      over.length === 1
        ? 'Ein Mandant ist über seinem Tarif'
        : `${over.length} Mandanten sind über ihrem Tarif`,
    absaetze: [
      'Guten Tag,',
      'über dem, wofür ihr Tarif gedacht ist, sind seit diesem Monat:',
      ...over.slice(0, MOST_NAMED).map(({ firma, sentence }) => `${quotedName(firma)}: ${sentence}`),
      ...(rest > 0 ? [`und ${rest} weitere.`] : []),
      `Alle stehen unter ${baseUrl}/betreiber/mandanten.`,
    ],
  };
}

/**
 * Tells all operators of the Mandanten that are beyond a limit that binds, each of them once in a local month, in one mail and in the
 * transaction that notes it. Resolves with how many are new in it; where there is no operator nothing is noted.
 */
export const tellOverLimits = (context: Context): Promise<number> =>
  context.owner.transaction(async (client) => {
    const operators = await readOperatorAddresses(client);
    if (operators.length === 0) return 0;
    const over = await findOver(client, context);
    const isNew = await noteOverLimits(client, over);
    const told = over.filter(({ mandant_id }) => isNew.has(mandant_id));
    if (told.length === 0) return 0;
    const letter = letterFor(told, context.config.baseUrl);
    for (const { mandant, email } of operators) {
      const tx = await continueAsMandant(client, mandant);
      const mail = toMail({ an: email, hinweis: HINT, ...letter });
      await queueMail(tx, context.secrets, { art: 'betreiber', mail, gueltig: MAIL_VALID_SECONDS });
    }
    return told.length;
  });
