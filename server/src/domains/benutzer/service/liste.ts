/** Who has access, and who is invited: one list, the users first. */
import type { benutzerListe, ResponseOf } from '#contracts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { cursorOf, type PageQuery, pageOf } from '#platform/page.ts';
import { listBenutzer, type Place } from '../store/benutzer.ts';
import { listEinladungen } from '../store/einladungen.ts';
import { benutzerToApi, einladungToApi } from '../to-api.ts';

/** Which of the two a page ended with, and where in it. */
const cursor = cursorOf('benutzer', 'text', 'instant', 'uuid');
const USER = 'b';
const INVITATION = 'e';

/** A row of either kind; exactly one of the two is there. */
type Entry =
  | { kind: typeof USER; place: Place; row: Awaited<ReturnType<typeof listBenutzer>>[number] }
  | { kind: typeof INVITATION; place: Place; row: Awaited<ReturnType<typeof listEinladungen>>[number] };

const users = async (tx: MandantTx, limit: number, after: Place | null): Promise<Entry[]> =>
  (await listBenutzer(tx, limit, after)).map((row) => ({
    kind: USER,
    place: { erstellt_am: row.erstellt_am, id: row.benutzer_id },
    row,
  }));

const invitations = async (tx: MandantTx, limit: number, after: Place | null): Promise<Entry[]> =>
  (await listEinladungen(tx, limit, after)).map((row) => ({
    kind: INVITATION,
    place: { erstellt_am: row.erstellt_am, id: row.einladung_id },
    row,
  }));

/** The entries behind a place; behind the last user come the invitations. */
async function entries(tx: MandantTx, limit: number, nach: string | undefined): Promise<Entry[]> {
  const [kind, erstellt_am, id] = cursor.read(nach) ?? [];
  const after = erstellt_am && id ? { erstellt_am, id } : null;
  if (kind === INVITATION) return invitations(tx, limit, after);
  const first = await users(tx, limit, after);
  return first.length === limit ? first : [...first, ...(await invitations(tx, limit - first.length, null))];
}

/** A page of the users and then of the invitations nobody has accepted. */
export function listUsers(
  context: Pick<ServiceContext, 'db' | 'clock'>,
  mandant: MandantId,
  { limit, nach }: PageQuery,
): Promise<ResponseOf<typeof benutzerListe>> {
  const now = context.clock.now();
  return context.db.forMandant(mandant, async (tx) => {
    const found = await entries(tx, limit + 1, nach);
    const { rows, weiter } = pageOf(found, limit, cursor, ({ kind, place }) => [
      kind,
      place.erstellt_am,
      place.id,
    ]);
    return {
      benutzer: rows.flatMap((entry) => (entry.kind === USER ? [benutzerToApi(entry.row)] : [])),
      einladungen: rows.flatMap((entry) =>
        entry.kind === INVITATION ? [einladungToApi(entry.row, now)] : [],
      ),
      weiter,
    };
  });
}
