/** The contract: every operation's schemas and every error's code, from which types, checks and `/openapi.json` follow. */
export * from './avv.ts';
export * from './error-codes.ts';
export * from './every-operation.ts';
export * from './kit/index.ts';
export * from './operations/index.ts';
