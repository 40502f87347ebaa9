export * from './errors.ts';
export * from './kept.ts';
export * from './openapi.ts';
export * from './operation.ts';
export * from './pages.ts';
export * from './refusals.ts';
export * from './types.ts';
