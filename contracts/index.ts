/** The contract: every operation's schemas and every error's code, from which types, checks and `/openapi.json` follow. */
export * from './alarms.ts';
export * from './avv.ts';
export * from './befund-werte.ts';
export * from './billing.ts';
export * from './book-rates.ts';
export * from './error-codes.ts';
export * from './event-fields.ts';
export * from './every-operation.ts';
export * from './kit/index.ts';
export * from './operations/index.ts';
export * from './price-facts.ts';
export * from './rights.ts';
export * from './rollup.ts';
export * from './rule-names.ts';
export * from './rule-types.ts';
