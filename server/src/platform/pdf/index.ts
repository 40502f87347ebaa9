/** The kit of documents: A4, tagged, PDF/A-3a and PDF/UA-1, the same bytes for the same content. Runs where it does not block: `platform/documents.ts`. */
export { type Bar, barChart, CHART_HEIGHT } from './chart.ts';
export { accentOf, INK, MUTED, PALE } from './colours.ts';
export { type Picture, pictureOf } from './picture.ts';
export { type Block, type EveryPage, Sheet, type Style } from './sheet.ts';
export { type Column, type Row, table } from './table.ts';
