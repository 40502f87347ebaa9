/** The kit of documents: A4, tagged, PDF/A-3a and PDF/UA-1, the same bytes for the same content. Runs where it does not block: `platform/documents.ts`. */
export { barChart, CHART_HEIGHT } from './chart.ts';
export { accentOf, MUTED, PALE } from './colours.ts';
export { pictureOf } from './picture.ts';
export { Sheet, type Style } from './sheet.ts';
export { type Row, table } from './table.ts';
