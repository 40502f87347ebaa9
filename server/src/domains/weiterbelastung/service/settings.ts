/** The settings of accounting. */
import type { BodyOf, Buchhaltung as BuchhaltungSchema, buchhaltungSetzen, Static } from '#contracts';
import { lockMandant } from '#domains/mandant/index.ts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import { InvalidInput } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { type SettingsFault, settingsFaults } from '../extf/settings.ts';
import { readSettings, type Settings, writeSettings } from '../store/settings.ts';

type Buchhaltung = Static<typeof BuchhaltungSchema>;

/** Without these there is no booking batch. */
const NEEDED = ['beraternummer', 'mandantennummer', 'sammelkonto', 'erloeskonto'] as const;

export const missingOf = (settings: Settings): string[] => NEEDED.filter((name) => settings[name] === null);

/** Stands for an account that is not set: in no chart, of any length. */
const ANY = '1';

/** What is wrong or odd by itself, whatever else is still to be set. */
function faultsOf(settings: Settings): SettingsFault[] {
  const { beraternummer, mandantennummer, sammelkonto, erloeskonto } = settings;
  return settingsFaults({
    ...settings,
    beraternummer: String(beraternummer ?? 1001),
    mandantennummer: String(mandantennummer ?? 1),
    sammelkonto: sammelkonto ?? `1${'0'.repeat(settings.sachkontenlaenge)}`,
    erloeskonto: erloeskonto ?? ANY,
  });
}

const contradictions = (settings: Settings): SettingsFault[] =>
  faultsOf(settings).filter(({ schwere }) => schwere === 'fehler');

/** Those that a batch is refused for, then the others, which are all about the revenue account and its tax. */
function hintsOf(settings: Settings): Buchhaltung['hinweise'] {
  const hints = faultsOf(settings).filter(({ schwere }) => schwere === 'hinweis');
  return [...contradictions(settings), ...(settings.erloeskonto === null ? [] : hints)].map(
    ({ schwere, feld, code, satz }) => ({ schwere, feld, code, ...satz }),
  );
}

const toApi = (settings: Settings): Buchhaltung => ({
  ...settings,
  fehlt: missingOf(settings),
  hinweise: hintsOf(settings),
});

export function readBuchhaltung(
  { db }: Pick<ServiceContext, 'db'>,
  mandant: MandantId,
): Promise<Buchhaltung> {
  return db.forMandant(mandant, async (tx) => toApi(await readSettings(tx)));
}

/** Throws 422 by field. What was wrong before does not keep anybody from setting something else. */
function requireConsistent(before: Settings, next: Settings): void {
  const known = new Set(contradictions(before).map(({ feld, code }) => `${feld} ${code} ${before[feld]}`));
  const faults = contradictions(next).filter(({ feld, code }) => !known.has(`${feld} ${code} ${next[feld]}`));
  if (faults.length > 0)
    throw new InvalidInput(
      faults.map(({ feld, satz }) => ({ path: [feld] as [string], input: next[feld], reason: satz })),
    );
}

/** Sets what is given. Throws 422 for what cannot be, also where accounts contradict one another. */
export function setBuchhaltung(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  mandant: MandantId,
  akteur: Akteur,
  input: BodyOf<typeof buchhaltungSetzen>,
): Promise<Buchhaltung> {
  return db.forMandant(mandant, async (tx) => {
    // A change at the same time waits.
    const { firma } = await lockMandant(tx);
    const before = await readSettings(tx);
    const given = input as Partial<Settings>;
    const names = (Object.keys(before) as (keyof Settings)[]).filter((name) => given[name] !== undefined);
    const set = Object.fromEntries(names.map((name) => [name, given[name] === '' ? null : given[name]]));
    const next: Settings = { ...before, ...set };
    requireConsistent(before, next);
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
