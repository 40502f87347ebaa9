/** Calls of the past, brought along from files. */
export { PastPanel } from './past-panel.tsx';
