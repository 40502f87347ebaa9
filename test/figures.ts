/** Whether what a finding tells is what is said of its type. */
import { expect } from 'vitest';
import { BEFUND_WERTE } from '#contracts';
import { compileCheck } from '#http/check/index.ts';

const CHECKS = Object.fromEntries(
  Object.entries(BEFUND_WERTE).map(([typ, schema]) => [typ, { schema, check: compileCheck(schema) }]),
);

/** Fails where a figure is missing, is another kind of value than is said, or is not said at all. */
export function expectFigures(typ: string, werte: Record<string, unknown>): void {
  const { schema, check } = CHECKS[typ] as (typeof CHECKS)[string];
  expect(check(werte, []), typ).toEqual({ ok: true, value: werte });
  const said = Object.keys(schema.properties);
  const required: readonly string[] = schema.required ?? [];
  expect(
    said.filter((name) => required.includes(name)).filter((name) => !(name in werte)),
    typ,
  ).toEqual([]);
  expect(
    Object.keys(werte).filter((name) => !said.includes(name)),
    typ,
  ).toEqual([]);
}
