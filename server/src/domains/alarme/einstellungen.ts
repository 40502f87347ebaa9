/** How a Mandant wants to be alarmed: language, quiet hours, digests; and what its webhook is signed with. */
import type { MandantTx } from '#platform/database/index.ts';
import type { SecretBox } from '#platform/secret-box.ts';
import type { Zeiten } from './rules.ts';
import type { Geheimnisse } from './signing.ts';

export interface Einstellungen extends Zeiten {
  sprache: 'de' | 'en';
}

const DEFAULT: Einstellungen = { sprache: 'de', ruhestunden: null, sammeln: 'sofort', sammelnUm: '08:00' };

export async function readEinstellungen(tx: MandantTx): Promise<Einstellungen> {
  const row = await tx.selectFrom('alarm_einstellungen').selectAll().executeTakeFirst();
  if (!row) return DEFAULT;
  const { sprache, ruhe_von: von, ruhe_bis: bis, ruhe_tage: tage, sammeln, sammeln_um: sammelnUm } = row;
  return { sprache, ruhestunden: von && bis ? { von, bis, tage } : null, sammeln, sammelnUm };
}

/** Waits for others that change settings or collect. */
export async function lockEinstellungen(tx: MandantTx): Promise<void> {
  await tx
    .insertInto('alarm_einstellungen')
    .values({ mandant_id: tx.mandant })
    .onConflict((conflict) => conflict.column('mandant_id').doNothing())
    .execute();
  await tx.selectFrom('alarm_einstellungen').select('mandant_id').forUpdate().execute();
}

/** Only who has locked them. */
export async function writeEinstellungen(tx: MandantTx, wished: Einstellungen): Promise<void> {
  const { sprache, ruhestunden, sammeln, sammelnUm: sammeln_um } = wished;
  await tx
    .updateTable('alarm_einstellungen')
    .set({
      sprache,
      sammeln,
      sammeln_um,
      ruhe_von: ruhestunden?.von ?? null,
      ruhe_bis: ruhestunden?.bis ?? null,
      ...(ruhestunden ? { ruhe_tage: ruhestunden.tage } : {}),
    })
    .where('mandant_id', '=', tx.mandant)
    .execute();
}

/** Says when the job has to look at what is held; only who has locked the settings. */
export async function setNaechsteSammlung(tx: MandantTx, naechste_sammlung: string | null): Promise<void> {
  await tx
    .updateTable('alarm_einstellungen')
    .set({ naechste_sammlung })
    .where('mandant_id', '=', tx.mandant)
    .execute();
}

/** When a message went to people last, ISO 8601; null when none did. Waits for other transactions that tell people something. */
export async function lockLastTold(tx: MandantTx): Promise<string | null> {
  await lockEinstellungen(tx);
  const row = await tx
    .selectFrom('alarm_einstellungen')
    .select('zuletzt_gemeldet_am')
    .executeTakeFirstOrThrow();
  return row.zuletzt_gemeldet_am;
}

/** Only who has locked the settings. */
export async function noteTold(tx: MandantTx, now: Date): Promise<void> {
  await tx
    .updateTable('alarm_einstellungen')
    .set({ zuletzt_gemeldet_am: now.toISOString() })
    .where('mandant_id', '=', tx.mandant)
    .execute();
}

/** What the webhook is signed with; null when nothing was made yet. */
export async function readGeheimnisse(tx: MandantTx, secrets: SecretBox): Promise<Geheimnisse | null> {
  const row = await tx.selectFrom('alarm_einstellungen').select('geheimnisse').executeTakeFirst();
  return row?.geheimnisse ? (JSON.parse(secrets.open(row.geheimnisse).toString()) as Geheimnisse) : null;
}

/** Stores it sealed; only who has locked the settings. */
export async function writeGeheimnisse(
  tx: MandantTx,
  secrets: SecretBox,
  geheimnisse: Geheimnisse,
): Promise<void> {
  await tx
    .updateTable('alarm_einstellungen')
    .set({ geheimnisse: secrets.seal(Buffer.from(JSON.stringify(geheimnisse))) })
    .where('mandant_id', '=', tx.mandant)
    .execute();
}
