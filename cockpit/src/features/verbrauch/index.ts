/** Consumption: the overview, and the parts with which other pages show figures of a period. */

export { CoursePanel } from './course-panel.tsx';
export { Coverage } from './coverage.tsx';
export { NeverAnyData, NoneInPeriod } from './empty.tsx';
export { FiguresRow } from './figures-row.tsx';
export { PeriodPicker } from './period-picker.tsx';
export { RankPanel } from './rank-panel.tsx';
export { RatesLine } from './rates-line.tsx';
export type { FiguresSearch } from './search.ts';
export { tokensOfCall, useTokenColumns, useTokenWords } from './tokens.ts';
export { useView, type View } from './use-view.ts';
export { filterSearch } from './view.ts';
export { UnreadableNotice, ViewBar } from './view-bar.tsx';
export { addDays, type Days, daysOf } from './zeitraum.ts';
