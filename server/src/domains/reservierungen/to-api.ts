/** A decision as the answer shows it. */
import type { ResponseOf, reservierungenAnlegen } from '#contracts';
import { type Eur, eurText } from '#kernel/money.ts';
import type { HardLimit } from './hard-limits.ts';
import type { HighestCost } from './highest-cost.ts';
import type { Decision, LimitStanding } from './rules.ts';
import type { Block } from './store.ts';

type Reservierung = ResponseOf<typeof reservierungenAnlegen>['reservierungen'][number];

type Grenze = NonNullable<Reservierung['grenze']>;

const textOrNull = (amount: Eur | null) => (amount === null ? null : eurText(amount));

/** What a limit was asked about, as the interface names it. */
export const objectIn = ({ of, jeAgent, bereich }: HardLimit, objekt: string) => ({
  objekt_art: of.kind === 'lauf' ? ('lauf' as const) : jeAgent ? ('agent' as const) : bereich,
  objekt: objekt.slice(objekt.indexOf('=') + 1),
});

export const toGrenze = ({ limit, objekt, spent, ends }: LimitStanding, reserved: Eur): Grenze => ({
  art: limit.art,
  regel_id: limit.regelId,
  name: limit.name,
  ...objectIn(limit, objekt),
  grenze_eur: eurText(limit.most),
  verbraucht_eur: eurText(spent),
  reserviert_eur: eurText(reserved),
  bis: ends,
});

const toSaetze = ({ rates, bounds }: HighestCost): Reservierung['saetze'] =>
  rates && {
    eingabe_eur: eurText(rates.input),
    ausgabe_eur: eurText(rates.output),
    aufruf_eur: eurText(rates.call),
    bis_eingabe_token: rates.upTo,
    hoechste_eingabe_token: bounds?.eingabe ?? null,
    hoechste_ausgabe_token: bounds?.ausgabe ?? null,
  };

export const toApi = (
  decision: Decision,
  cost: HighestCost,
  block: Block | null,
  to: Date,
): Reservierung => ({
  gewaehrt: decision.kind === 'granted',
  reservierung_id: block?.id ?? null,
  betrag_eur: block && eurText(block.amount),
  hoechstkosten_eur: textOrNull(cost.eur),
  saetze: toSaetze(cost),
  verfaellt_am: block && to.toISOString(),
  grenze: decision.kind === 'refused' ? toGrenze(decision.by, decision.reserved) : null,
});
