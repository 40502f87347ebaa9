/** SQL of the settings of accounting. */
import { exactText, type MandantTx } from '#platform/database/index.ts';

/** Percent as plain decimal. */
export interface Settings {
  beraternummer: number | null;
  mandantennummer: number | null;
  /** 1 to 12. */
  wirtschaftsjahr_beginn: number;
  sachkontenlaenge: number;
  kontenrahmen: '03' | '04' | null;
  sammelkonto: string | null;
  erloeskonto: string | null;
  bu_schluessel: string | null;
  steuersatz_prozent: string | null;
  festschreibung: boolean;
  diktatkuerzel: string | null;
  bezeichnung: string | null;
  verbranntes_berechnen: boolean;
  aufschlag_ausweisen: boolean;
}

/** Of a Mandant that has set nothing. */
const DEFAULTS: Settings = {
  beraternummer: null,
  mandantennummer: null,
  wirtschaftsjahr_beginn: 1,
  sachkontenlaenge: 4,
  kontenrahmen: null,
  sammelkonto: null,
  erloeskonto: null,
  bu_schluessel: null,
  steuersatz_prozent: null,
  festschreibung: false,
  diktatkuerzel: null,
  bezeichnung: null,
  verbranntes_berechnen: true,
  aufschlag_ausweisen: false,
};

export async function readSettings(tx: MandantTx): Promise<Settings> {
  const row = await tx
    .selectFrom('buchhaltung_einstellungen')
    .select([
      'beraternummer',
      'mandantennummer',
      'wirtschaftsjahr_beginn',
      'sachkontenlaenge',
      'kontenrahmen',
      'sammelkonto',
      'erloeskonto',
      'bu_schluessel',
      'festschreibung',
      'diktatkuerzel',
      'bezeichnung',
      'verbranntes_berechnen',
      'aufschlag_ausweisen',
    ])
    .select(({ ref }) => exactText(ref('steuersatz_prozent')).as('steuersatz_prozent'))
    .where('mandant_id', '=', tx.mandant)
    .executeTakeFirst();
  return (row as Settings | undefined) ?? DEFAULTS;
}

export async function writeSettings(tx: MandantTx, settings: Settings): Promise<void> {
  await tx
    .insertInto('buchhaltung_einstellungen')
    .values({ ...settings, mandant_id: tx.mandant })
    .onConflict((conflict) => conflict.column('mandant_id').doUpdateSet(settings))
    .execute();
}
