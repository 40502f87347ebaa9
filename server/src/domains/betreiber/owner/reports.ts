/** The reports of operators, each read at one moment. */
import type { mandantenListe, QueryOf, ResponseOf, uebersicht } from '#contracts';
import { areLimitsBinding, isOver, loeschungAb, packageInForce } from '#domains/mandant/index.ts';
import { readNewestRate, readPriceListAge } from '#domains/preise/index.ts';
import type { OperatorDatabase } from '#domains/protokoll/index.ts';
import { notFound } from '#kernel/errors.ts';
import { toInstant, toInstantOrNull } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createDiskProbe } from '#platform/disk.ts';
import { cursorOf, pageOf } from '#platform/page.ts';
import { countMandanten, listIds, readJobs, readWaiting } from './installation.ts';
import { type MandantSeen, readMandanten } from './mandanten.ts';
import { readSumsBy, type Sums } from './sums.ts';

type Context = Pick<ServiceContext, 'db' | 'clock' | 'config' | 'version'>;
type Mandantenseite = ResponseOf<typeof mandantenListe>;
type Answer = Mandantenseite['mandanten'][number];

const ONE_MOMENT = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY';
const MONTHS = 13;
const DAY_SECONDS = 86_400;

const cursor = cursorOf('betreiber_mandanten', 'instant', 'uuid');

function toApi(row: MandantSeen, { clock, config }: Pick<Context, 'clock' | 'config'>): Answer {
  const now = clock.now();
  const { paket, name, grenzen } = packageInForce(row, now);
  const { gekuendigt_am } = row;
  return {
    mandant_id: row.mandant_id,
    firma: row.firma,
    status: row.status,
    demo: row.demo,
    zeitzone: row.zeitzone,
    erstellt_am: toInstant(row.erstellt_am),
    gekuendigt_am: toInstantOrNull(gekuendigt_am),
    loeschung_ab: gekuendigt_am === null ? null : loeschungAb(gekuendigt_am).toISOString(),
    paket: row.paket,
    paket_in_kraft: paket,
    paket_name: name,
    paket_bis: toInstantOrNull(row.paket_bis),
    quelle: row.paket_quelle,
    abrechnungsstatus: row.abrechnungsstatus,
    betreiber_notiz: row.betreiber_notiz,
    benutzer: row.benutzer,
    schluessel: row.schluessel,
    letzter_aufruf_am: toInstantOrNull(row.letzter_aufruf_am),
    monat: row.monat,
    grenzen,
    verbindlich: areLimitsBinding(config, row),
    ueber_grenze:
      isOver(row.monat.ereignisse, grenzen.ereignisse_monat) || isOver(row.benutzer, grenzen.benutzer),
    anfragen_je_minute: row.anfragen_je_minute,
    ereignisse_je_minute: row.ereignisse_je_minute,
  };
}

/** A page of the Mandanten, the newest first; of one alone where `mandant_id` says so. */
export function reportMandanten(
  db: OperatorDatabase,
  context: Context,
  { limit, nach, ...selection }: QueryOf<typeof mandantenListe>,
): Promise<Mandantenseite> {
  const after = cursor.read(nach);
  return db.transaction(async (client) => {
    await client.query(ONE_MOMENT);
    const found = await readMandanten(client, selection, {
      limit: limit + 1,
      after,
      now: context.clock.now(),
    });
    const { rows, weiter } = pageOf(found, limit, cursor, ({ erstellt_am, mandant_id }) => [
      erstellt_am,
      mandant_id,
    ]);
    return { mandanten: rows.map((row) => toApi(row, context)), weiter };
  });
}

/** One Mandant. Throws 404 when it is gone. */
export async function readMandantSeen(
  db: OperatorDatabase,
  context: Context,
  mandant_id: MandantId,
): Promise<Answer> {
  const { mandanten } = await reportMandanten(db, context, { limit: 1, mandant_id });
  const [seen] = mandanten;
  if (!seen) throw notFound({ de: 'Diesen Mandanten', en: 'This Mandant' });
  return seen;
}

/** How the installation stands. Days are the Mandanten's own; which day it is today says the zone of the installation. */
export async function reportInstallation(
  db: OperatorDatabase,
  context: Context,
): Promise<ResponseOf<typeof uebersicht>> {
  const { clock, config, version } = context;
  const now = clock.now();
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(config.timeZone)
    .toPlainDate();
  const [age, room, rate] = await Promise.all([
    readPriceListAge(context),
    createDiskProbe(config)(),
    readNewestRate(context),
  ]);
  return db.transaction(async (client) => {
    await client.query(ONE_MOMENT);
    const ids = await listIds(client);
    const since = (days: number) => today.subtract({ days: days - 1 }).toString();
    const together = async (from: string): Promise<Sums> => {
      const [sums] = await readSumsBy(client, ids, from, `'alles'`);
      return { ereignisse: sums?.ereignisse ?? 0, kosten_eur: sums ? sums.kosten_eur : '0' };
    };
    const firstMonth = today
      .with({ day: 1 })
      .subtract({ months: MONTHS - 1 })
      .toString();
    const months = await readSumsBy(client, ids, firstMonth, `to_char(tag, 'YYYY-MM')`);
    return {
      zeitpunkt: now.toISOString(),
      version,
      mandanten: await countMandanten(client),
      heute: await together(since(1)),
      sieben_tage: await together(since(7)),
      dreissig_tage: await together(since(30)),
      monate: months.slice(0, MONTHS).map(({ key, ...sums }) => ({ monat: key, ...sums })),
      ...(await readWaiting(client)),
      auftraege: await readJobs(client),
      speicher: room && { frei_bytes: room.free, gesamt_bytes: room.size },
      preisliste_tage: age === null ? null : Math.floor(age / DAY_SECONDS),
      kurs_tag: rate?.tag ?? null,
    };
  });
}
