export * from './check/index.ts';
export * from './json.ts';
export * from './openapi.ts';
export * from './operation.ts';
export * from './types.ts';
