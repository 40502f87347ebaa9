/** Findings and incidents: what other pages show of them. */
export { FindingsPanel } from './findings-panel.tsx';
