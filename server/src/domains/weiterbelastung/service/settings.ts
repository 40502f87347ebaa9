/** The settings of accounting. */
import type { BodyOf, Buchhaltung as BuchhaltungSchema, buchhaltungSetzen, Static } from '#contracts';
import { lockMandant } from '#domains/mandant/index.ts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readSettings, type Settings, writeSettings } from '../store/settings.ts';

type Buchhaltung = Static<typeof BuchhaltungSchema>;

/** Without these there is no booking batch. */
const NEEDED = ['beraternummer', 'mandantennummer', 'sammelkonto', 'erloeskonto'] as const;

export const missingOf = (settings: Settings): string[] => NEEDED.filter((name) => settings[name] === null);

const toApi = (settings: Settings): Buchhaltung => ({ ...settings, fehlt: missingOf(settings) });

export function readBuchhaltung(
  { db }: Pick<ServiceContext, 'db'>,
  mandant: MandantId,
): Promise<Buchhaltung> {
  return db.forMandant(mandant, async (tx) => toApi(await readSettings(tx)));
}

/** Sets what is given. Throws 422. */
export function setBuchhaltung(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  mandant: MandantId,
  akteur: Akteur,
  input: BodyOf<typeof buchhaltungSetzen>,
): Promise<Buchhaltung> {
  return db.forMandant(mandant, async (tx) => {
    // Whoever changes them at the same time waits.
    const { firma } = await lockMandant(tx);
    const before = await readSettings(tx);
    const given = input as Partial<Settings>;
    const names = (Object.keys(before) as (keyof Settings)[]).filter((name) => given[name] !== undefined);
    const set = Object.fromEntries(names.map((name) => [name, given[name] === '' ? null : given[name]]));
    const next: Settings = { ...before, ...set };
    const changes = changedFields({ ...before }, { ...next });
    if (changes) {
      await writeSettings(tx, next);
      await recordChange(tx, mandant, clock.now(), {
        akteur,
        aktion: 'buchhaltung.geaendert',
        objekt: { art: 'mandant', id: mandant, name: firma },
        ...changes,
      });
    }
    return toApi(next);
  });
}
