/** Runs: the table with which other pages show them. */
export { RunsTable } from './runs-table.tsx';
