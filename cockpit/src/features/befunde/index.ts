/** Findings and incidents: what other pages show of them. */
export { FindingsPanel } from './findings-panel.tsx';
export { OpenIncidents } from './open-incidents.tsx';
