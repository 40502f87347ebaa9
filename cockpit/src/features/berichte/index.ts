/** Reports: which of them one gets by mail, and the latest. */
export { ReportPanel } from './report-panel.tsx';
