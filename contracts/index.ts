/** The contract: every operation's schemas, from which validation, types and `/openapi.json` follow. */
export * from './avv.ts';
export * from './kit/index.ts';
export * from './operations/index.ts';
