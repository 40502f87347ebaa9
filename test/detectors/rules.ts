/** Rules as they are acted on, for tests. */
import { randomUUID } from 'node:crypto';
import { type ParameterVon, REGELTYPEN, type Regeltyp } from '#contracts';
import type { Regel } from '#domains/regeln/index.ts';
import type { TestService } from '../service.ts';

/** The defaults of a type's parameters, filled in. */
export function defaultsOf(typ: Regeltyp): object {
  const fields = REGELTYPEN[typ].parameter.properties as Record<string, { default?: unknown }>;
  return Object.fromEntries(Object.entries(fields).map(([name, { default: value }]) => [name, value]));
}

/** A rule of this type with its defaults, for everything, unless told otherwise. */
export function ruleOf<T extends Regeltyp>(
  typ: T,
  more: Partial<Omit<Regel<T>, 'typ' | 'parameter'>> & { parameter?: Partial<ParameterVon<T>> } = {},
): Regel<T> {
  const { schwelle, zeitfenster } = REGELTYPEN[typ];
  return {
    regel_id: randomUUID(),
    name: typ,
    typ,
    geltungsbereich: 'mandant',
    bezug: null,
    schwelle: schwelle?.default ?? null,
    einheit: schwelle?.einheiten[0] ?? null,
    stufe: 'warnen',
    zeitfenster: zeitfenster?.default ?? null,
    schattenbetrieb: false,
    ...more,
    parameter: { ...defaultsOf(typ), ...more.parameter } as ParameterVon<T>,
  };
}

/** Puts the rule into the database, active. */
export async function addRule(service: TestService, mandantId: string, rule: Regel): Promise<void> {
  await service.sql(
    `INSERT INTO regeln (mandant_id, regel_id, name, typ, geltungsbereich, bezug_id, bezug, schwelle, einheit, stufe, zeitfenster,
       schattenbetrieb, aktiv, parameter)
     VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10, $11, true, $12)`,
    [
      mandantId,
      rule.regel_id,
      rule.name,
      rule.typ,
      rule.geltungsbereich,
      rule.bezug,
      rule.schwelle,
      rule.einheit,
      rule.stufe,
      rule.zeitfenster,
      rule.schattenbetrieb,
      JSON.stringify(rule.parameter),
    ],
  );
}
