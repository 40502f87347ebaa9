/**
 * Whether everything is done that a test does in several ways: in `npm run test:all`, and for a file named by its path. A test that only
 * the whole suite has is declared by `test.runIf(isWhole)`, with a word on what else in `npm test` tells of its fault.
 */
export const isWhole = process.env.ZW_DEPTH === 'all';
